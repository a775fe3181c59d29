// The steps of a script: the result of each and its requests, as in "POST query+hash 200".
import { readFileSync } from "node:fs";

export const uri = `${process.env.PLAUDIT_URL}/graphql`;
export const alice = { authorization: `Bearer ${process.env.PLAUDIT_TOKEN}` };
export const key = "v1";
export const id = "Entity:video:v1";

const steps = {};
let requests = [];

/** Returns the text of an operation file. */
export const operation = (name) => readFileSync(new URL(`operations/${name}.graphql`, import.meta.url), "utf8");

/** Calls `fetch` and records the request. */
export async function watched(url, options) {
  const response = await fetch(url, options);
  const asked = options.body ? JSON.parse(options.body) : Object.fromEntries(new URL(url).searchParams);
  const extensions = options.body ? asked.extensions : JSON.parse(asked.extensions ?? "null");
  const named = { query: asked.query, hash: extensions?.persistedQuery, doc_id: asked.doc_id };
  const what = Object.keys(named).filter((name) => named[name] !== undefined);
  requests.push(`${options.method} ${what.join("+")} ${response.status}`);
  return response;
}

/** Runs a step. `ask` returns a promise of its result. */
export async function step(name, ask) {
  requests = [];
  steps[name] = [await ask(), requests];
}

/** Returns the likes and the viewer's reaction from the response to any of the operations. */
export function seen({ entity, like }) {
  const { likeCount, viewerReaction } = entity ?? like.target;
  return [likeCount, viewerReaction];
}

export const codes = (errors) => errors.map(({ extensions }) => extensions.code);

/** Prints all steps. Scripts call it at their end. */
export const report = () => console.log(JSON.stringify(steps));
