import { composeExchanges, type Exchange, makeOperation, type Operation } from "@urql/core";
import { persistedExchange } from "@urql/exchange-persisted";
import { map } from "wonka";

function hashOf(document: object): string | undefined {
  return (document as { __meta__?: { hash?: string } }).__meta__?.hash;
}

/**
 * Sends an operation whose hash the API does not know as text alone. The hash is that of the text in the manifest, and
 * the client prints the operation otherwise, so the API would refuse this text together with the hash.
 */
function textOf(operation: Operation, unknown: Set<string>): Operation {
  const asked = operation.extensions?.persistedQuery;
  if (!asked?.miss) return operation;
  unknown.add(asked.sha256Hash);
  return makeOperation(operation.kind, { ...operation, extensions: { ...operation.extensions, persistedQuery: undefined } });
}

/**
 * Sends the ids of operations, which are hashes that were made when the client was built. Unless ids are enforced, sends
 * the texts of those that the API does not know.
 */
export function byId(enforced: boolean): Exchange {
  const unknown = new Set<string>();
  const texts: Exchange = ({ forward }) => (operations) => forward(map((one: Operation) => textOf(one, unknown))(operations));
  const ids = persistedExchange({
    enforcePersistedQueries: enforced,
    enableForMutation: true,
    enableForSubscriptions: true,
    preferGetForPersistedQueries: false,
    generateHash: async (_text, document) => {
      const hash = hashOf(document);
      return hash && unknown.has(hash) ? undefined : hash;
    },
  });
  return composeExchanges([ids, texts]);
}
