// Makes the generated documents small: each fragment is there once, and functions make the nodes that are most frequent.
import { readFileSync, writeFileSync } from "node:fs";

const file = "src/generated/graphql.ts";
const fragments = new Map();
const HELPERS = `/* @__NO_SIDE_EFFECTS__ */ const name = (value: string) => ({ kind: "Name", value });
/* @__NO_SIDE_EFFECTS__ */ const set = (selections: object[]) => ({ kind: "SelectionSet", selections });
/* @__NO_SIDE_EFFECTS__ */ const field = (value: string) => ({ kind: "Field", name: name(value) });
/* @__NO_SIDE_EFFECTS__ */ const parent = (value: string, selections: object[]) => ({ kind: "Field", name: name(value), selectionSet: set(selections) });
/* @__NO_SIDE_EFFECTS__ */ const spread = (value: string) => ({ kind: "FragmentSpread", name: name(value) });
/* @__NO_SIDE_EFFECTS__ */ const argument = (value: string) => ({ kind: "Argument", name: name(value), value: { kind: "Variable", name: name(value) } });
/* @__NO_SIDE_EFFECTS__ */ const input = (value: string) => ({ kind: "ObjectField", name: name(value), value: { kind: "Variable", name: name(value) } });
/* @__NO_SIDE_EFFECTS__ */ const type = (value: string) => ({ kind: "NamedType", name: name(value) });
/* @__NO_SIDE_EFFECTS__ */ const required = (one: object) => ({ kind: "NonNullType", type: one });
/* @__NO_SIDE_EFFECTS__ */ const variable = (value: string, one: object) => ({ kind: "VariableDefinition", variable: { kind: "Variable", name: name(value) }, type: one });`;

function compact(node) {
  if (Array.isArray(node)) return `[${node.map(compact).join(",")}]`;
  if (node === null || typeof node !== "object") return JSON.stringify(node);
  const { kind, name, value, selectionSet, ...rest } = node;
  const isPlain = Object.keys(rest).length === 0;
  const quoted = JSON.stringify(name?.value);
  if (isPlain && kind === "Name") return `name(${JSON.stringify(value)})`;
  if (isPlain && kind === "FragmentSpread") return `spread(${quoted})`;
  if (isPlain && kind === "Field") return selectionSet ? `parent(${quoted},${compact(selectionSet.selections)})` : `field(${quoted})`;
  if (kind === "Argument" && value.kind === "Variable" && value.name.value === name.value) return `argument(${quoted})`;
  if (kind === "ObjectField" && value.kind === "Variable" && value.name.value === name.value) return `input(${quoted})`;
  if (isPlain && kind === "NamedType") return `type(${quoted})`;
  if (kind === "NonNullType") return `required(${compact(rest.type)})`;
  if (kind === "VariableDefinition" && Object.keys(rest).join() === "variable,type") return `variable(${JSON.stringify(rest.variable.name.value)},${compact(rest.type)})`;
  if (kind === "SelectionSet") return `set(${compact(rest.selections)})`;
  return `{${Object.entries(node).map(([key, one]) => `${key}:${compact(one)}`).join(",")}}`;
}

function small(line) {
  const [, before, json, after] = /^(export const \w+Document = )(\{.*\})( as unknown as .*)$/.exec(line) ?? [];
  if (!json) return line;
  const { definitions, ...document } = JSON.parse(json);
  const parts = definitions.map((definition) => {
    if (definition.kind !== "FragmentDefinition") return compact(definition);
    const constant = `${definition.name.value}Definition`;
    fragments.set(constant, compact(definition));
    return constant;
  });
  return `${before}{${JSON.stringify(document).slice(1, -1)},"definitions":[${parts.join(",")}]}${after}`;
}

const lines = readFileSync(file, "utf8").split("\n").map(small);
const first = lines.findIndex((line) => /^export const \w+Document = /.test(line));
lines.splice(first, 0, HELPERS, ...[...fragments].map(([constant, node]) => `const ${constant} = ${node};`));
writeFileSync(file, lines.join("\n"));
