import type { Exchange } from "@urql/core";
import { map } from "wonka";
import { withoutMissing } from "./degraded.js";

/** Removes values that could not be read before the cache sees them, so that the cache keeps the last known ones. */
export const degradedExchange: Exchange =
  ({ forward }) =>
  (operations) =>
    map(withoutMissing)(forward(operations));
