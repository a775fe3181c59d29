// Watches something with a real client: `node watch.js ws|sse <url> <authorizations> <subscription> [slow|<id>]`. Every
// result is a line of JSON; after an error, or the first that tells of something new, the client leaves.
//
// Of several authorizations, with commas between them, each connection takes the next. A slow client reads nothing, but
// pings, until a line is written to it.
import { createClient as sseClient } from "graphql-sse";
import { createClient as wsClient } from "graphql-ws";
import WebSocket from "ws";

const [transport, url, authorizations, name, id] = process.argv.slice(2);
const tokens = authorizations.split(",");
const retryAttempts = tokens.length - 1;
const who = () => ({ authorization: tokens.shift() });

const subscriptions = {
  reactableChanged: "subscription ($ids: [ID!]!) { reactableChanged(ids: $ids) { id likeCount viewerReaction } }",
  notificationReceived:
    "subscription { notificationReceived { edge { node { message read } } viewer { unreadNotificationCount } } }",
  homePostAdded: "subscription { homePostAdded { node { text author { handle } } } }",
};
const isNews = (data) => data.reactableChanged?.likeCount !== 0;

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
        connectionParams: who,
        retryAttempts,
        on: { connected: (socket) => id === "slow" && readNothing(socket) },
      })
    : sseClient({ url, headers: who, retryAttempts });

try {
  const variables = name === "reactableChanged" ? { ids: [id] } : undefined;
  for await (const result of client.iterate({ query: subscriptions[name], variables })) {
    console.log(JSON.stringify(result));
    if (result.errors || isNews(result.data)) break;
  }
} catch (error) {
  console.log(JSON.stringify({ code: error.code, reason: error.reason, errors: Array.isArray(error) ? error : undefined }));
}
await client.dispose();
