import { type CaseAssignment, type CaseItemFragment, type CaseKind, type CaseOrder, type CaseStatus, ModerationQueueChangesDocument, type ModerationQueueChangesQuery, ModerationQueueDocument, type ModerationSource } from "@plaudit/client";
import { useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { useClient, useQuery } from "urql";
import { say } from "../language.tsx";
import { Ago, Notice } from "../ui.tsx";
import { Due } from "./appeals.tsx";
import { Bulk, MOST_AT_ONCE } from "./bulk.tsx";
import { Case } from "./case.tsx";
import { useDecisions } from "./decisions.tsx";
import { useKeys, usePolling } from "./keys.tsx";
import { excerpt, useTitle, withFilter } from "./parts.tsx";
import { SavedQueues } from "./saved.tsx";
import { useCan } from "./session.tsx";

/** The cases that are read at once, unless the moderator asks for more. Others follow as these are decided. */
const FIRST = 10;
/** How often the console asks whether the first cases have changed: less often if it has to read many after a change. */
const POLL_SECONDS = 10;
const SLOW_POLL_SECONDS = 30;
const POLLED = 20;
/** How often the console reads all facts of the cases. */
const READ_SECONDS = 60;

/** The filters and the values of each. Messages `filter-…` name filters, `status-…`, `source-…` and so on the values. */
const FILTERS: [name: string, first: string, choices: string[]][] = [
  ["status", "status-OPEN", ["RESOLVED"]],
  ["source", "all", ["RULES", "WORDS", "REVIEWER", "REPORTS", "APPEALS", "NOTICES"] satisfies ModerationSource[]],
  ["kind", "all", ["POST", "COMMENT", "USER", "ENTITY", "COLLECTION"] satisfies CaseKind[]],
  ["assignment", "assignment-ANY", ["UNASSIGNED", "MINE"] satisfies CaseAssignment[]],
  ["sort", "sort-OLDEST", ["NEWEST", "MOST_REPORTED"] satisfies CaseOrder[]],
];

/** Returns the variables of the query. Resolved cases have no source, no assignment and no reports to sort by. */
function variablesOf(search: URLSearchParams) {
  const chosen = (name: string) => search.get(name) || null;
  const kind = chosen("kind") as CaseKind | null;
  const status = (chosen("status") ?? "OPEN") as CaseStatus;
  if (status === "RESOLVED") return { status, kind, source: null, assignment: null, sort: "NEWEST" as CaseOrder };
  const [source, assignment] = [chosen("source") as ModerationSource | null, chosen("assignment") as CaseAssignment | null];
  return { status, kind, source, assignment, sort: (chosen("sort") ?? "OLDEST") as CaseOrder };
}

/** Returns what the console compares to find out whether the cases have changed. */
function factsOf(data: ModerationQueueChangesQuery, count: number): string {
  return JSON.stringify(data.moderationQueue?.edges.slice(0, count).map(({ node, case: one }) => [node.id, one.openedAt, one.reportCount, one.assignee?.id]));
}

/** Reads the cases that a moderator has not decided yet, again after each change, and chooses the one that is shown. */
function useCases(search: URLSearchParams) {
  const [first, setFirst] = useState(FIRST);
  const client = useClient();
  const variables = { ...variablesOf(search), first };
  const [{ data, error, fetching }, read] = useQuery({ query: ModerationQueueDocument, variables, requestPolicy: "cache-and-network" });
  const refresh = () => read({ requestPolicy: "network-only" });
  const poll = async () => {
    const count = Math.min(first, POLLED);
    const { data: now } = await client.query(ModerationQueueChangesDocument, { ...variables, first: count }, { requestPolicy: "network-only" });
    if (now && (!data || factsOf(now, count) !== factsOf(data, count))) refresh();
  };
  usePolling(poll, first > FIRST ? SLOW_POLL_SECONDS : POLL_SECONDS);
  usePolling(refresh, READ_SECONDS);
  const { isDecided } = useDecisions();
  const [chosenId, choose] = useState<string | null>(null);
  const kept = useRef<CaseItemFragment | undefined>(undefined);
  // A decision is in the queue only after it is stored, so cases that this moderator has decided are left out here.
  const items = data?.moderationQueue?.edges.filter(({ node, case: one }) => one.status === "RESOLVED" || !isDecided(node.id, one.openedAt)) ?? [];
  // A case that another moderator decides stays on the screen, with a notice, until this moderator goes on.
  const before = kept.current;
  const wantedId = chosenId ?? before?.node.id;
  const found = items.find(({ node }) => node.id === wantedId);
  const isLost = before?.node.id === wantedId && before && !isDecided(before.node.id, before.case.openedAt);
  const current = found ?? (isLost ? before : items[0]);
  kept.current = current;
  const isGone = current !== undefined && current !== found && current === before;
  const hasMore = data?.moderationQueue?.pageInfo.hasNextPage ?? false;
  return { items, current, isGone, hasMore, error, isLoading: fetching || !data, refresh, choose, isChosen: chosenId !== null, onMore: first < MOST_AT_ONCE ? () => setFirst(MOST_AT_ONCE) : undefined };
}

export function Queue() {
  useTitle(say("queue"));
  const [search, setSearch] = useSearchParams();
  return (
    <>
      <h1>{say("queue")}</h1>
      <SavedQueues filters={variablesOf(search)} />
      <Filters search={search} onFilter={(name, value) => setSearch((now) => withFilter(now, name, value))} />
      <Desk key={search.toString()} search={search} />
    </>
  );
}

/** The cases of one selection, and the case that is shown. Other filters get a desk of their own. */
function Desk({ search }: { search: URLSearchParams }) {
  const { items, current, isGone, hasMore, error, isLoading, refresh, choose, isChosen, onMore } = useCases(search);
  const at = items.findIndex(({ node }) => node.id === current?.node.id);
  const go = (index: number) => choose(items[Math.max(0, Math.min(index, items.length - 1))]?.node.id ?? null);
  const chosen = useChoice(items);
  useKeys({ j: () => go(at + 1), k: () => go(at - 1) });
  return (
    <>
      {error && <Notice action={refresh}>{error.graphQLErrors[0]?.message ?? say("queue-not-loaded")}</Notice>}
      {!current && !error && <p className="empty" role="status">{say(isLoading ? "loading" : "queue-empty")}</p>}
      {current && (
        <div className="desk">
          <Cases items={items} current={current} hasMore={hasMore} onMore={onMore} onChoose={choose} choice={chosen} />
          <div>
            {chosen.items.length > 0 && <Bulk items={chosen.items} onClear={chosen.clear} />}
            <Steps at={at} count={items.length} onGo={go} />
            <Case key={current.node.id} item={current} isGone={isGone} hasFocus={isChosen} onDecided={() => go(at + 1 < items.length ? at + 1 : at - 1)} onUndone={() => choose(current.node.id)} onChanged={refresh} />
          </div>
        </div>
      )}
    </>
  );
}

function Steps({ at, count, onGo }: { at: number; count: number; onGo: (index: number) => void }) {
  return (
    <p className="inline steps">
      <button type="button" className="small" onClick={() => onGo(at - 1)} disabled={at < 1}>{say("previous")}</button>
      <span role="status">{at < 0 ? say("not-in-list") : say("case-of", { at: at + 1, count })}</span>
      <button type="button" className="small" onClick={() => onGo(at + 1)} disabled={at >= count - 1}>{say("next")}</button>
    </p>
  );
}

function Filters({ search, onFilter }: { search: URLSearchParams; onFilter: (name: string, value: string) => void }) {
  const isResolved = search.get("status") === "RESOLVED";
  return (
    <div className="inline filters">
      {FILTERS.filter(([name]) => !isResolved || name === "status" || name === "kind").map(([name, first, choices]) => (
        <label key={name}>{say(`filter-${name}`)} <select value={search.get(name) ?? ""} onChange={(event) => onFilter(name, event.target.value)}><option value="">{say(first)}</option>{choices.map((value) => <option key={value} value={value}>{say(`${name}-${value}`)}</option>)}</select></label>
      ))}
    </div>
  );
}

/** The cases that a moderator chooses for one decision; none for a user who may not decide. A case that leaves the list is not chosen any more. */
function useChoice(shown: readonly CaseItemFragment[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const last = useRef(0);
  const can = useCan();
  const open = can("MODERATOR") ? shown.filter(({ case: one }) => one.status === "OPEN").slice(0, MOST_AT_ONCE) : [];
  const items = open.filter(({ node }) => ids.has(node.id));
  /** Chooses a case, or no longer; with `isRange`, all cases from the last one that was chosen. */
  const toggle = (index: number, isRange: boolean) => {
    const isChosen = !ids.has(open[index]!.node.id);
    const [from, to] = isRange ? [Math.min(last.current, index), Math.max(last.current, index)] : [index, index];
    const changed = open.slice(from, to + 1).map(({ node }) => node.id);
    const after = new Set(items.map(({ node }) => node.id));
    for (const id of changed) isChosen ? after.add(id) : after.delete(id);
    setIds(after);
    last.current = index;
  };
  const clear = () => setIds(new Set());
  const all = () => setIds(new Set(items.length === open.length ? [] : open.map(({ node }) => node.id)));
  return { items, open, toggle, clear, all, has: (id: string) => ids.has(id) };
}

interface ListProps {
  choice: ReturnType<typeof useChoice>;
  items: readonly CaseItemFragment[];
  current: CaseItemFragment;
  hasMore: boolean;
  /** Shows as many cases as one decision can be about; undefined if they are shown. */
  onMore: (() => void) | undefined;
  onChoose: (id: string) => void;
}

function Cases({ items, current, hasMore, onMore, onChoose, choice }: ListProps) {
  return (
    <nav className="cases" aria-label={say("cases")}>
      {choice.open.length > 0 && <label className="all"><input type="checkbox" checked={choice.items.length === choice.open.length} onChange={choice.all} /> {say("all-shown")}</label>}
      <ol className="list">
        {items.map(({ node, case: one }, index) => (
          <li key={node.id} className="one">
            {index < choice.open.length && <input type="checkbox" aria-label={say("choose-case", { text: excerpt(node) })} checked={choice.has(node.id)} onClick={(event) => choice.toggle(index, event.shiftKey)} onChange={() => undefined} />}
            <button type="button" aria-current={node.id === current.node.id} onClick={() => onChoose(node.id)}>
              <span className="excerpt">{excerpt(node)}</span>
              <span className="handle">
                {say(`thing-${node.__typename}`)} · {one.sources.map((source) => say(`source-${source}`)).join(say("separator")) || say("resolved")}
                {(one.reportCount ?? 0) > 1 && ` · ${say("count-reports", { count: one.reportCount! })}`} · <Ago time={(one.openedAt ?? one.resolvedAt)!} />
                {one.appealDeadline && <> · <Due time={one.appealDeadline} /></>}
                {one.assignee && ` · ${one.assignee.displayName}`}
              </span>
            </button>
          </li>
        ))}
      </ol>
      {hasMore && onMore && <button type="button" onClick={onMore}>{say("show-cases", { count: MOST_AT_ONCE })}</button>}
      {hasMore && <p className="handle">{say("more-cases")}</p>}
    </nav>
  );
}
