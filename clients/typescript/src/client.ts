import { Client, type Exchange, fetchExchange, subscriptionExchange } from "@urql/core";
import { authExchange } from "@urql/exchange-auth";
import { type Client as Socket, createClient as createSocket, type SubscribePayload } from "graphql-ws";
import { normalizedCache } from "./cache.js";
import { equalMutationsExchange } from "./equal-mutations.js";
import { degradedExchange, newestAnswerExchange } from "./degraded-exchange.js";
import { codeOf, retries } from "./errors.js";
import { idempotencyExchange } from "./idempotency.js";
import { optimisticExchange } from "./optimistic-exchange.js";
import { byId } from "./persisted.js";
import { positionExchange } from "./position.js";

export interface ClientOptions {
  /** The address of the API, such as `https://api.example/graphql`. */
  url: string;
  /**
   * Returns the token of the signed-in user, or null for an anonymous user. `expired` is true if the API refused the
   * last token of a request or of the WebSocket, or if `expiring` says so: return a new one.
   */
  token?: (expired: boolean) => Promise<string | null> | string | null;
  /** Says before each request whether the token expires soon. `token` is then asked for a new one first. */
  expiring?: () => boolean;
  /** How often an operation is tried before its error is shown. */
  attempts?: number;
  /**
   * `only`: operations are sent by their id; import their manifest first. `automatic`: by their id, or as text if the
   * API does not know it. `off`: as text.
   */
  persisted?: "only" | "automatic" | "off";
  /** More exchanges, which see operations first. */
  exchanges?: Exchange[];
}

function signedIn(token: NonNullable<ClientOptions["token"]>, expiring: () => boolean): Exchange {
  return authExchange(async ({ appendHeaders }) => {
    let current = await token(false);
    return {
      addAuthToOperation: (operation) =>
        current ? appendHeaders(operation, { authorization: `Bearer ${current}` }) : operation,
      willAuthError: expiring,
      didAuthError: (error) => codeOf(error) === "UNAUTHENTICATED",
      refreshAuth: async () => {
        current = await token(true);
      },
    };
  });
}

const REFUSED = 4403; // the code with which the API closes a WebSocket whose token is invalid or has expired

function openSocket(url: string, token: NonNullable<ClientOptions["token"]>): Socket {
  let isRefused = false;
  return createSocket({
    url: url.replace(/^http/, "ws"),
    lazy: true,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: (problem) => problem instanceof Event,
    on: {
      closed: (event) => {
        isRefused ||= (event as CloseEvent).code === REFUSED;
      },
    },
    connectionParams: async () => {
      const current = await token(isRefused);
      isRefused = false;
      return current ? { authorization: `Bearer ${current}` } : {};
    },
  });
}

function subscriptions(url: string, token: NonNullable<ClientOptions["token"]>): Exchange {
  let socket: Socket | undefined; // Node 20 has no WebSocket, and can send queries and mutations without it
  return subscriptionExchange({
    forwardSubscription: (request) => ({
      subscribe: (sink) => {
        socket ??= openSocket(url, token);
        // An operation that is sent by its id has no text, and graphql-ws accepts none without one.
        return { unsubscribe: socket.subscribe({ ...request, query: request.query ?? "" } as SubscribePayload, sink) };
      },
    }),
  });
}

/** Creates an urql client for Plaudit. Create a new one when another user signs in: its cache belongs to one user. */
export function createPlauditClient(options: ClientOptions): Client {
  const { url, token = () => null, expiring = () => false, attempts = 8, persisted = "off", exchanges = [] } = options;
  return new Client({
    url,
    exchanges: [
      ...exchanges,
      idempotencyExchange,
      equalMutationsExchange,
      optimisticExchange,
      newestAnswerExchange,
      normalizedCache(),
      degradedExchange,
      retries(attempts),
      signedIn(token, expiring),
      positionExchange,
      ...(persisted === "off" ? [] : [byId(persisted === "only")]),
      fetchExchange,
      subscriptions(url, token),
    ],
  });
}
