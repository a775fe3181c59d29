// Sends operations to the API with the token of the session: over HTTP, subscriptions as event streams. An
// Authorization header in GraphiQL's headers editor overrides the session.

import { watch } from "./stream.js";

// Relative to /graphql, so that the page also works behind a proxy that adds a path.
const ENDPOINT = new URL("graphql", location.href);

export function createFetcher(session) {
  const send = globalThis.GraphiQL.createFetcher({
    url: ENDPOINT.href,
    fetch: (url, init) => watched(session, url, init),
    enableIncrementalDelivery: false,
  });
  return (operation, options) => {
    const headers = withSession(session, options?.headers);
    if (!isSubscription(operation, options?.documentAST)) return received(session, send(operation, { ...options, headers }));
    return watch((signal) => watched(session, ENDPOINT.href, { ...streamed(operation, headers), signal }));
  };
}

async function received(session, sent) {
  const result = await sent;
  session.received(result);
  return result;
}

function isSubscription({ operationName }, document) {
  return Boolean(
    document?.definitions.some(
      (node) => node.operation === "subscription" && (!operationName || node.name?.value === operationName),
    ),
  );
}

function streamed(operation, headers) {
  return {
    method: "POST",
    headers: { ...headers, accept: "text/event-stream", "content-type": "application/json" },
    body: JSON.stringify(operation),
  };
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
