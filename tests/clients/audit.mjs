// Runs the audits of graphql-http against the server. Prints the failed audits by id.
import { auditServer } from "graphql-http";
import { uri } from "./steps.mjs";

const failed = {};
for (const { id, name, status, reason, response } of await auditServer({ url: uri })) {
  if (status !== "ok") failed[id] = [name, reason, response.status];
}
console.log(JSON.stringify(failed));
