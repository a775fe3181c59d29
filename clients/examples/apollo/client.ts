import { ApolloClient, ApolloLink, CombinedGraphQLErrors, HttpLink, InMemoryCache, Observable } from "@apollo/client";
import { SetContextLink } from "@apollo/client/link/context";
import { PersistedQueryLink } from "@apollo/client/link/persisted-queries";
import { RetryLink } from "@apollo/client/link/retry";
import { relayStylePagination } from "@apollo/client/utilities";
import { degradedOf, withoutMissing } from "@plaudit/client/degraded";
import { createClient as createSocket } from "graphql-ws";
import { map } from "rxjs";

const ATTEMPTS = { mutation: 8, query: 3, subscription: 1 }; // a subscription reconnects by itself
const TEMPORARY = ["UNAVAILABLE", "RATE_LIMITED"];

/** Whether the API answered nothing, for a reason that passes. */
function failed(result: ApolloLink.Result): boolean {
  const isEmpty = Object.entries(result.data ?? {}).every(([name, value]) => name === "__typename" || value === null);
  return isEmpty && (result.errors ?? []).some(({ extensions }) => TEMPORARY.includes(extensions?.code as string));
}

/** Whether a repetition may succeed. Without `retryAfter`, the query would take too long again. */
function passes(error: CombinedGraphQLErrors): boolean {
  return failed(error) && error.errors.some(({ extensions }) => extensions?.retryAfter !== undefined);
}

/** Lets RetryLink see failures that are no lost connections. */
const failing = new ApolloLink((operation, forward) =>
  forward(operation).pipe(
    map((result) => {
      if (failed(result)) throw new CombinedGraphQLErrors(result);
      return result;
    }),
  ),
);

/** Repeats an operation with its variables, so a mutation keeps its idempotency key and happens once. */
const retrying = new RetryLink({
  attempts: (failures, { operationType }, error) =>
    failures < ATTEMPTS[operationType] && (!CombinedGraphQLErrors.is(error) || passes(error)),
  delay: (failures, _operation, error) => {
    const errors = CombinedGraphQLErrors.is(error) ? error.errors : [];
    const asked = Math.max(0, ...errors.map(({ extensions }) => Number(extensions?.retryAfter ?? 0)));
    return asked * 1000 + Math.random() * Math.min(30_000, 500 * 2 ** failures);
  },
});

/** Keeps the last known values in the cache, and reads a query again that could not be answered in full. */
const keeping = new ApolloLink((operation, forward) =>
  forward(operation).pipe(
    map((result) => {
      const wait = Math.max(0, ...degradedOf(result).map(({ retryAfter }) => retryAfter ?? 0));
      const again = () => operation.client.refetchQueries({ include: [operation.operationName!] });
      if (wait && operation.operationType === "query") setTimeout(again, wait * 1000);
      return withoutMissing(result);
    }),
  ),
);

/** Sends the ids that codegen has written into the operations. The API has their texts from the manifest. */
const byId = () =>
  new PersistedQueryLink({
    generateHash: async (document) => (document as unknown as { __meta__: { hash: string } }).__meta__.hash,
    retry: () => false, // never send a text
  });

/** Runs subscriptions over one WebSocket. GraphQLWsLink would send their texts. */
function subscriptions(url: string, authorization: string): ApolloLink {
  const socket = createSocket({ url: url.replace(/^http/, "ws"), connectionParams: { authorization }, retryAttempts: Infinity });
  return new ApolloLink(
    ({ variables, extensions, operationName }) =>
      new Observable((sink) => socket.subscribe({ query: "", variables, extensions, operationName }, sink)),
  );
}

const cache = () =>
  new InMemoryCache({
    possibleTypes: { Reactable: ["Post", "Comment", "Entity"] },
    typePolicies: { Viewer: { fields: { home: relayStylePagination() } } },
  });

/** Creates a client for one signed-in user. */
export function createClient(url: string, token: string): ApolloClient {
  const authorization = `Bearer ${token}`;
  const http = new SetContextLink(() => ({ headers: { authorization } })).concat(new HttpLink({ uri: url }));
  const sending = ApolloLink.split(({ operationType }) => operationType === "subscription", subscriptions(url, authorization), http);
  return new ApolloClient({ link: ApolloLink.from([keeping, retrying, failing, byId(), sending]), cache: cache() });
}
