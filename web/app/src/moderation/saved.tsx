import { DeleteSavedQueueDocument, SavedQueuesDocument, type SavedQueuesQuery, SaveQueueDocument } from "@plaudit/client";
import { type FormEvent, useState } from "react";
import { Link } from "react-router";
import { useMutation, useQuery } from "urql";
import { say } from "../language.tsx";
import { messageOf } from "../outcome.ts";
import { useSession } from "./session.tsx";

type Saved = NonNullable<NonNullable<SavedQueuesQuery["viewer"]>["savedQueues"]>[number];
type Filters = Omit<Saved, "name" | "__typename">;

/** The search part of an address with the filters of a saved queue. Defaults are left out. */
function searchOf({ status, kind, source, assignment, sort }: Filters): string {
  const chosen = { status: status === "OPEN" ? "" : status, kind, source, assignment, sort: sort === "OLDEST" ? "" : sort };
  return new URLSearchParams(Object.entries(chosen).filter((one): one is [string, string] => Boolean(one[1]))).toString();
}

/** The queues that the moderator has saved, and a form that saves the current filters. */
export function SavedQueues({ filters }: { filters: Filters }) {
  const { isRestricted } = useSession();
  const [{ data }] = useQuery({ query: SavedQueuesDocument, variables: {}, pause: isRestricted, requestPolicy: "cache-and-network" });
  const queues = data?.viewer?.savedQueues;
  if (isRestricted || !queues) return null;
  const current = queues.find((one) => searchOf(one) === searchOf(filters));
  return (
    <section className="inline saved" aria-label={say("saved-queues")}>
      {queues.map((one) => <Link key={one.name} className="badge" to={{ pathname: "/", search: searchOf(one) }} aria-current={one === current ? "page" : undefined}>{one.name}</Link>)}
      <details>
        <summary>{current ? say("change-queue", { name: current.name }) : say("save-filters")}</summary>
        <Edit key={current?.name ?? ""} filters={filters} current={current} />
      </details>
    </section>
  );
}

function Edit({ filters, current }: { filters: Filters; current: Saved | undefined }) {
  const [name, setName] = useState(current?.name ?? "");
  const [message, setMessage] = useState("");
  const [, save] = useMutation(SaveQueueDocument);
  const [, remove] = useMutation(DeleteSavedQueueDocument);
  const { status, kind, source, assignment, sort } = filters;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const input = { name, replaces: current?.name ?? null, status, kind, source, assignment, sort };
    setMessage(messageOf(await save({ input })) ?? "");
  };
  return (
    <form className="inline" onSubmit={submit}>
      <label>{say("queue-name")} <input required maxLength={60} value={name} onChange={(event) => setName(event.target.value)} /></label>
      <button type="submit">{say(current ? "rename" : "save")}</button>
      {current && <button type="button" onClick={async () => setMessage(messageOf(await remove({ name: current.name })) ?? "")}>{say("delete-queue")}</button>}
      <span role="status" className="problem">{message}</span>
    </form>
  );
}
