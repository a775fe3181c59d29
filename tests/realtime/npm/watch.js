// Watches one thing with a real client: `node watch.js ws|sse <url> <authorization> <id>`. Every result is a line of
// JSON; after the one with a like the client leaves.
import { createClient as sseClient } from "graphql-sse";
import { createClient as wsClient } from "graphql-ws";
import WebSocket from "ws";

const [transport, url, authorization, id] = process.argv.slice(2);
const query = "subscription ($ids: [ID!]!) { reactableChanged(ids: $ids) { id likeCount viewerReaction } }";

const client =
  transport === "ws"
    ? wsClient({ url, webSocketImpl: WebSocket, connectionParams: { authorization }, retryAttempts: 0 })
    : sseClient({ url, headers: { authorization }, retryAttempts: 0 });

try {
  for await (const result of client.iterate({ query, variables: { ids: [id] } })) {
    console.log(JSON.stringify(result));
    if (result.errors || result.data.reactableChanged.likeCount > 0) break;
  }
} catch (error) {
  console.log(JSON.stringify({ code: error.code, reason: error.reason, errors: Array.isArray(error) ? error : undefined }));
}
await client.dispose();
