// Writes what the normalized cache must know of the schema: types, fields and interfaces. Leaves out what only operators
// may use, so that apps do not load it.
import { readFileSync, writeFileSync } from "node:fs";
import { getIntrospectedSchema, minifyIntrospectionQuery } from "@urql/introspection";
import { buildASTSchema, getNamedType, isAbstractType, parse, visit } from "graphql";

const isForOperators = (field) => field.description?.value.includes("scope `admin`");
const document = visit(parse(readFileSync("../../schema.graphql", "utf8")), {
  FieldDefinition: (field) => (isForOperators(field) ? null : undefined),
});
const schema = buildASTSchema(document);

const reachable = new Set();
function reach(type) {
  const named = getNamedType(type);
  if (reachable.has(named.name)) return;
  reachable.add(named.name);
  if (isAbstractType(named)) schema.getPossibleTypes(named).forEach(reach);
  named.getInterfaces?.().forEach(reach);
  for (const field of Object.values(named.getFields?.() ?? {})) reach(field.type);
}
[schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].forEach(reach);

const cacheSchema = minifyIntrospectionQuery(getIntrospectedSchema(schema));
cacheSchema.__schema.types = cacheSchema.__schema.types.filter((type) => type.name === "Any" || reachable.has(type.name));
// The cache looks neither at arguments nor at the `ofType` of a named type.
const needed = (key, value) => (key === "args" ? [] : key === "ofType" ? (value ?? undefined) : value);
writeFileSync("src/generated/cache-schema.json", `${JSON.stringify(cacheSchema, needed)}\n`);
