// urql, which registers queries as it goes and asks by GET where the URL is short enough.
import { Client, fetchExchange } from "@urql/core";
import { persistedExchange } from "@urql/exchange-persisted";
import { alice, codes, id, key, operation, report, seen, step, uri, watched } from "./steps.mjs";

const VIDEO = operation("Video");
const LIKE = operation("Like");

/** Without a cache. */
function client(headers = {}) {
  const persisted = persistedExchange({ preferGetForPersistedQueries: "within-url-limit" });
  return new Client({ url: uri, exchanges: [persisted, fetchExchange], fetch: watched, fetchOptions: { headers } });
}

async function told(asking) {
  const { data, error } = await asking.toPromise();
  return error ? codes(error.graphQLErrors) : seen(data);
}

const video = (of) => told(of.query(VIDEO, { key }));
const like = (of) => told(of.mutation(LIKE, { id }));

const page = client(alice);
await step("unknown", () => video(page));
await step("known", () => video(page));
await step("known to others", () => video(client()));
await step("like", () => like(page));
await step("counted", () => video(page));
await step("like by nobody", () => like(client()));
report();
