// The audits of graphql-http: whether the server follows GraphQL over HTTP. Prints those that fail, by their ids.
import { auditServer } from "graphql-http";
import { uri } from "./steps.mjs";

const failed = {};
for (const { id, name, status, reason, response } of await auditServer({ url: uri })) {
  if (status !== "ok") failed[id] = [name, reason, response.status];
}
console.log(JSON.stringify(failed));
