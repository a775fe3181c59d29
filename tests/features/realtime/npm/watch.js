// Subscribes with a real client: `node watch.js ws|sse <url> <authorizations> <subscription> [slow|<id>]`. Prints each
// result as a line of JSON. Closes after an error, or after the first result with a change.
//
// `authorizations` are separated by commas. Each connection uses the next one. A slow client sends pings and reads no
// answers until a line is written to its standard input.
import { createClient as sseClient } from "graphql-sse";
import { createClient as wsClient } from "graphql-ws";
import WebSocket from "ws";

const [transport, url, authorizations, name, id] = process.argv.slice(2);
const tokens = authorizations.split(",");
const retryAttempts = tokens.length - 1;
const nextAuthorization = () => ({ authorization: tokens.shift() });

const subscriptions = {
  reactableChanged: "subscription ($ids: [ID!]!) { reactableChanged(ids: $ids) { id likeCount viewerReaction } }",
  notificationReceived:
    "subscription { notificationReceived { edge { node { message read } } viewer { unreadNotificationCount } } }",
  homePostAdded: "subscription { homePostAdded { node { text author { handle } } } }",
};
const isChange = (data) => data.reactableChanged?.likeCount !== 0;

function readNothing(socket) {
  const ping = JSON.stringify({ type: "ping", payload: { text: "x".repeat(90_000) } });
  socket.pause();
  const pinging = setInterval(() => socket.bufferedAmount < 1_000_000 && socket.send(ping), 1);
  process.stdin.once("data", () => {
    clearInterval(pinging);
    process.stdin.destroy();
    socket.resume();
  });
}

const client =
  transport === "ws"
    ? wsClient({
        url,
        webSocketImpl: WebSocket,
        connectionParams: nextAuthorization,
        retryAttempts,
        on: { connected: (socket) => id === "slow" && readNothing(socket) },
      })
    : sseClient({ url, headers: nextAuthorization, retryAttempts });

try {
  const variables = name === "reactableChanged" ? { ids: [id] } : undefined;
  for await (const result of client.iterate({ query: subscriptions[name], variables })) {
    console.log(JSON.stringify(result));
    if (result.errors || isChange(result.data)) break;
  }
} catch (error) {
  console.log(JSON.stringify({ code: error.code, reason: error.reason, errors: Array.isArray(error) ? error : undefined }));
}
await client.dispose();
