import { type Exchange, makeOperation, type Operation } from "@urql/core";
import type { OperationDefinitionNode } from "graphql";
import { map } from "wonka";
import { newKey } from "./new-key.js";

const KEY = "idempotencyKey";

function declaresKey(operation: Operation): boolean {
  return operation.query.definitions.some(
    (definition) =>
      definition.kind === "OperationDefinition" &&
      (definition as OperationDefinitionNode).variableDefinitions?.some(({ variable }) => variable.name.value === KEY),
  );
}

function withKey(operation: Operation): Operation {
  if (operation.kind !== "mutation" || operation.variables?.[KEY] || !declaresKey(operation)) return operation;
  const variables = { ...operation.variables, [KEY]: newKey() };
  return makeOperation("mutation", { ...operation, variables }, operation.context);
}

/**
 * Gives each mutation that declares the variable `$idempotencyKey` a new key, unless it has one. A retry keeps the key,
 * so that a change happens once, even if the reply to the first attempt is lost.
 */
export const idempotencyExchange: Exchange =
  ({ forward }) =>
  (operations) =>
    forward(map(withKey)(operations));
