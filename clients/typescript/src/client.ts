import { Client, type Exchange, fetchExchange, subscriptionExchange } from "@urql/core";
import { authExchange } from "@urql/exchange-auth";
import { createClient as createSocket, type SubscribePayload } from "graphql-ws";
import { normalizedCache } from "./cache.js";
import { degradedExchange, newestAnswerExchange } from "./degraded-exchange.js";
import { codeOf, retries } from "./errors.js";
import { idempotencyExchange } from "./idempotency.js";
import { byId } from "./persisted.js";

export interface ClientOptions {
  /** The address of the API, such as `https://api.example/graphql`. */
  url: string;
  /**
   * Returns the token of the signed-in user, or null for an anonymous user. `expired` is true if the API refused the
   * last token: return a new one.
   */
  token?: (expired: boolean) => Promise<string | null> | string | null;
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

function signedIn(token: NonNullable<ClientOptions["token"]>): Exchange {
  return authExchange(async ({ appendHeaders }) => {
    let current = await token(false);
    return {
      addAuthToOperation: (operation) =>
        current ? appendHeaders(operation, { authorization: `Bearer ${current}` }) : operation,
      didAuthError: (error) => codeOf(error) === "UNAUTHENTICATED",
      refreshAuth: async () => {
        current = await token(true);
      },
    };
  });
}

function subscriptions(url: string, token: NonNullable<ClientOptions["token"]>): Exchange {
  const socket = createSocket({
    url: url.replace(/^http/, "ws"),
    lazy: true,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: (problem) => problem instanceof Event,
    connectionParams: async () => {
      const current = await token(false);
      return current ? { authorization: `Bearer ${current}` } : {};
    },
  });
  return subscriptionExchange({
    forwardSubscription: (request) => ({
      // An operation that is sent by its id has no text, and graphql-ws accepts none without one.
      subscribe: (sink) => ({ unsubscribe: socket.subscribe({ ...request, query: request.query ?? "" } as SubscribePayload, sink) }),
    }),
  });
}

/** Creates an urql client for Plaudit. Create a new one when another user signs in: its cache belongs to one user. */
export function createPlauditClient(options: ClientOptions): Client {
  const { url, token = () => null, attempts = 8, persisted = "off", exchanges = [] } = options;
  return new Client({
    url,
    exchanges: [
      ...exchanges,
      idempotencyExchange,
      newestAnswerExchange,
      normalizedCache(),
      degradedExchange,
      retries(attempts),
      signedIn(token),
      ...(persisted === "off" ? [] : [byId(persisted === "only")]),
      fetchExchange,
      subscriptions(url, token),
    ],
  });
}
