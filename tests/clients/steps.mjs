// What a script does, step by step: what its client was told, and what crossed the wire, as in "POST query+hash 200".
import { readFileSync } from "node:fs";

export const uri = `${process.env.PLAUDIT_URL}/graphql`;
export const alice = { authorization: `Bearer ${process.env.PLAUDIT_TOKEN}` };
export const key = "v1";
export const id = "Entity:video:v1";

const steps = {};
let requests = [];

/** The text of one of the operation files. */
export const operation = (name) => readFileSync(new URL(`operations/${name}.graphql`, import.meta.url), "utf8");

/** `fetch`, watched. */
export async function watched(url, options) {
  const response = await fetch(url, options);
  const asked = options.body ? JSON.parse(options.body) : Object.fromEntries(new URL(url).searchParams);
  const extensions = options.body ? asked.extensions : JSON.parse(asked.extensions ?? "null");
  const named = { query: asked.query, hash: extensions?.persistedQuery, doc_id: asked.doc_id };
  const what = Object.keys(named).filter((name) => named[name] !== undefined);
  requests.push(`${options.method} ${what.join("+")} ${response.status}`);
  return response;
}

/** Does one thing: `ask` promises what is told of it. */
export async function step(name, ask) {
  requests = [];
  steps[name] = [await ask(), requests];
}

/** The likes and the viewer's reaction that an answer to any of the operations tells. */
export function seen({ entity, like }) {
  const { likeCount, viewerReaction } = entity ?? like.target;
  return [likeCount, viewerReaction];
}

export const codes = (errors) => errors.map(({ extensions }) => extensions.code);

/** Prints all steps: the last thing a script does. */
export const report = () => console.log(JSON.stringify(steps));
