// How GraphiQL reaches the API: HTTP, and for subscriptions a WebSocket, as whoever the session says. An Authorization
// header typed into GraphiQL's own headers editor wins over the session.

// Relative to /graphiql, so that the page also works behind a proxy that adds a path.
const ENDPOINT = new URL("graphql", location.href);
const SOCKET = new URL(ENDPOINT);
SOCKET.protocol = ENDPOINT.protocol.replace("http", "ws");

export function createFetcher(session) {
  const send = globalThis.GraphiQL.createFetcher({
    url: ENDPOINT.href,
    fetch: (url, init) => watched(session, url, init),
    enableIncrementalDelivery: false,
    // GraphiQL's bundle holds a graphql-transport-ws client and sends the headers added below as its payload.
    subscriptionUrl: SOCKET.href,
  });
  return (operation, options) => send(operation, { ...options, headers: withSession(session, options?.headers) });
}

function withSession(session, typed = {}) {
  const chosenByHand = Object.keys(typed).some((name) => name.toLowerCase() === "authorization");
  return !chosenByHand && session.token ? { ...typed, authorization: `Bearer ${session.token}` } : typed;
}

async function watched(session, url, init) {
  const response = await fetch(url, init);
  session.answered(response.status);
  return response;
}
