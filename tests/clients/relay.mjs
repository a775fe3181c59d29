// Relay with the artifacts of relay-compiler beside relay/video.js. Only the manifest has their texts.
import runtime from "relay-runtime";
import likeMutation from "./relay/__generated__/videoLikeMutation.graphql.js";
import videoQuery from "./relay/__generated__/videoQuery.graphql.js";
import { alice, codes, id, key, report, seen, step, uri, watched } from "./steps.mjs";

const { commitMutation, Environment, fetchQuery, Network, RecordSource, Store } = runtime;

function environment(headers = {}) {
  const network = Network.create(async (operation, variables) => {
    const response = await watched(uri, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ doc_id: operation.id, variables }),
    });
    return response.json();
  });
  return new Environment({ network, store: new Store(new RecordSource()) });
}

const query = (of, artifact) =>
  fetchQuery(of, artifact, { key })
    .toPromise()
    .then(seen, (error) => codes(error.source.errors));

const like = (of) =>
  new Promise((resolve, reject) => {
    const onCompleted = (data, errors) => resolve(errors ? codes(errors) : seen(data));
    commitMutation(of, { mutation: likeMutation, variables: { id }, onCompleted, onError: reject });
  });

const page = environment(alice);
const unknown = { ...videoQuery, params: { ...videoQuery.params, id: "of-another-build" } };
await step("video", () => query(page, videoQuery));
await step("like", () => like(page));
await step("counted", () => query(page, videoQuery));
await step("anonymous like", () => like(environment()));
await step("unknown", () => query(page, unknown));
report();
