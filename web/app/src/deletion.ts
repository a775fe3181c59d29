import { deletedUntil } from "@plaudit/client";
import type { Exchange, OperationResult } from "@urql/core";
import { tap } from "wonka";

/** The deletion of an account. `dueAt` is the time until which it can be restored; null if it is too late. */
export interface Deletion {
  dueAt: string | null;
}

/** Calls `report` for each answer that says that the account of the signed-in person is deleted. */
export function deletionExchange(report: (deletion: Deletion) => void): Exchange {
  return ({ forward }) =>
    (operations) =>
      tap<OperationResult>(({ error }) => {
        const dueAt = deletedUntil(error);
        if (dueAt !== undefined) report({ dueAt });
      })(forward(operations));
}
