// Apollo Client: `node apollo.mjs automatic` registers operations by hash, `node apollo.mjs manifest` uses a manifest.
import { createHash } from "node:crypto";
import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { PersistedQueryLink } from "@apollo/client/link/persisted-queries";
import { generatePersistedQueryIdsFromManifest } from "@apollo/persisted-query-lists";
import { alice, codes, id, key, operation, report, seen, step, uri, watched } from "./steps.mjs";

const VIDEO = gql(operation("Video"));
const LIKE = gql(operation("Like"));
const AD_HOC = gql`
  query AdHoc($key: String!) {
    entity(business: "video", key: $key) {
      id
      likeCount
      viewerReaction
    }
  }
`;

const automatic = { sha256: (text) => createHash("sha256").update(text).digest("hex") };
const manifest = generatePersistedQueryIdsFromManifest({
  loadManifest: () => import("./persisted-query-manifest.json", { with: { type: "json" } }).then((file) => file.default),
});

/** Returns a new client with an empty cache. */
function client(persisted, headers = {}) {
  const http = new HttpLink({ uri, headers, fetch: watched });
  const link = persisted ? new PersistedQueryLink(persisted).concat(http) : http;
  return new ApolloClient({ link, cache: new InMemoryCache() });
}

async function outcome(response) {
  try {
    return seen((await response).data);
  } catch (error) {
    if (CombinedGraphQLErrors.is(error)) return codes(error.errors);
    throw error;
  }
}

const query = (of, query, fetchPolicy = "network-only") => outcome(of.query({ query, variables: { key }, fetchPolicy }));
const like = (of) => outcome(of.mutate({ mutation: LIKE, variables: { id } }));

async function automatically() {
  const page = client(automatic, alice);
  const getting = client({ ...automatic, useGETForHashedQueries: true });
  await step("unknown", () => query(page, VIDEO));
  await step("known", () => query(page, VIDEO));
  await step("known to others, by GET", () => query(getting, VIDEO));
  await step("unknown, by GET", () => query(getting, AD_HOC));
  await step("known, by GET", () => query(getting, AD_HOC));
  await step("like", () => like(page));
  await step("cached", () => query(page, VIDEO, "cache-only"));
  await step("counted", () => query(page, VIDEO));
  await step("anonymous like", () => like(client(automatic)));
}

async function fromManifest() {
  const page = client({ ...manifest, useGETForHashedQueries: true }, alice);
  await step("video", () => query(page, VIDEO));
  await step("like", () => like(page));
  await step("counted", () => query(page, VIDEO));
  await step("anonymous like", () => like(client(manifest)));
  await step("ad hoc", () => query(client(null, alice), AD_HOC));
  await step("ad hoc by hash", () => query(client(automatic, alice), AD_HOC));
}

await { automatic: automatically, manifest: fromManifest }[process.argv[2]]();
report();
