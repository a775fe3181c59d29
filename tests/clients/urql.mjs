// urql, which registers queries by hash and sends GET requests if the URL is short enough.
import { Client, fetchExchange } from "@urql/core";
import { persistedExchange } from "@urql/exchange-persisted";
import { alice, codes, id, key, operation, report, seen, step, uri, watched } from "./steps.mjs";

const VIDEO = operation("Video");
const LIKE = operation("Like");

/** Returns a client without a cache. */
function client(headers = {}) {
  const persisted = persistedExchange({ preferGetForPersistedQueries: "within-url-limit" });
  return new Client({ url: uri, exchanges: [persisted, fetchExchange], fetch: watched, fetchOptions: { headers } });
}

async function outcome(response) {
  const { data, error } = await response.toPromise();
  return error ? codes(error.graphQLErrors) : seen(data);
}

const video = (of) => outcome(of.query(VIDEO, { key }));
const like = (of) => outcome(of.mutation(LIKE, { id }));

const page = client(alice);
await step("unknown", () => video(page));
await step("known", () => video(page));
await step("known to others", () => video(client()));
await step("like", () => like(page));
await step("counted", () => video(page));
await step("anonymous like", () => like(client()));
report();
