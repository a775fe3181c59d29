// Writes what the normalized cache must know of the schema: types, fields and interfaces.
import { readFileSync, writeFileSync } from "node:fs";
import { getIntrospectedSchema, minifyIntrospectionQuery } from "@urql/introspection";
import { buildSchema } from "graphql";

const schema = buildSchema(readFileSync("../../schema.graphql", "utf8"));
const cacheSchema = minifyIntrospectionQuery(getIntrospectedSchema(schema));
const withoutArguments = (key, value) => (key === "args" ? [] : value); // the cache does not look at them
writeFileSync("src/generated/cache-schema.json", `${JSON.stringify(cacheSchema, withoutArguments)}\n`);
