import { degradedOf } from "@plaudit/client";
import { type Exchange, makeOperation, type Operation, type OperationResult, stringifyDocument } from "@urql/core";
import { useSyncExternalStore } from "react";
import { map, pipe, tap } from "wonka";

/**
 * Where an answer comes from: the cache of the client kit, the cache of the browser without or with a question to the API
 * (status 304), the API, or its WebSocket.
 */
export type Source = "kit" | "browser" | "unchanged" | "network" | "socket";

/** An operation of the app, and what is known about its answer. */
export interface Sent {
  number: number;
  /** The key of urql: equal for equal operations. */
  key: number;
  /** When it was sent, in milliseconds since 1970. */
  at: number;
  kind: Operation["kind"];
  name: string;
  /** The id of the persisted operation. */
  id: string | undefined;
  /** Whether its request has its id and not its text; undefined if there was no request. */
  byId: boolean | undefined;
  text: string;
  variables: Record<string, unknown>;
  /** Undefined until there is an answer. */
  source: Source | undefined;
  isWaiting: boolean;
  /** Whether the kit has shown what was in its cache while it asked the API. */
  wasShownFromKit: boolean;
  /** The price that the API has charged; for a subscription, that of its last event. */
  cost?: number;
  /** Round trips to Redis, and queries to Postgres. */
  redis?: number;
  sql?: number;
  milliseconds?: number;
  bytes?: number;
  /** Whether the client did not use the answer, and has sent the operation again. */
  wasRepeated: boolean;
  /** The events of a subscription. */
  events: number;
  /** What could not be read, and why. */
  missing: readonly string[];
  problem?: string;
}

const MOST = 60;
const AT_ONCE = 100; // milliseconds: urql asks twice when a component is shown first
const HEADERS = 300; // bytes: browsers count the headers of each answer as so many
const NAME = /graphql($|\?)/;
let sent: readonly Sent[] = [];
let last = 0;
let isAnnounced = false;
const started = new Map<number, number>(); // by number: when it was sent
const addresses = new Map<string, number>(); // by URL: the number of the newest operation that was sent to it by GET
const open = new Map<number, number>(); // by key: the number of each operation that is shown or waits
const ours = new WeakSet<typeof fetch>();
const listeners = new Set<() => void>();

function publish(next: readonly Sent[]): void {
  sent = next;
  if (isAnnounced) return;
  isAnnounced = true;
  queueMicrotask(() => { // not at once: components send queries while they are rendered
    isAnnounced = false;
    for (const listener of listeners) listener();
  });
}

function change(number: number, news: Partial<Sent>): void {
  publish(sent.map((one) => (one.number === number ? { ...one, ...news } : one)));
}

function find(number: number | undefined): Sent | undefined {
  return sent.find((one) => one.number === number);
}

const blank = { byId: undefined, source: undefined, isWaiting: true, wasShownFromKit: false, wasRepeated: false, events: 0, missing: [] };

function add(one: Sent): void {
  for (const { number } of sent.slice(MOST - 1)) started.delete(number);
  publish([one, ...sent].slice(0, MOST));
}

function begin({ key, kind, query, variables }: Operation): void {
  const definition = query.definitions.find((one) => one.kind === "OperationDefinition");
  const number = ++last;
  const now = performance.now();
  sent = sent.filter((one) => one.key !== key || one.byId !== undefined || one.isWaiting || now - (started.get(one.number) ?? 0) > AT_ONCE);
  open.set(key, number);
  started.set(number, now);
  const name = (definition as { name?: { value: string } } | undefined)?.name?.value ?? "";
  const id = (query as { __meta__?: { hash?: string } }).__meta__?.hash;
  add({ ...blank, number, key, at: Date.now(), kind, name, id, text: stringifyDocument(query), variables: variables ?? {} });
}

/** Notes that nothing waits for an operation any more. One that was never sent leaves no row. */
function end(key: number): void {
  const one = find(open.get(key));
  open.delete(key);
  if (!one) return;
  if (one.byId === undefined && one.isWaiting && !one.events) publish(sent.filter(({ number }) => number !== one.number));
  else if (one.isWaiting) change(one.number, { isWaiting: false });
}

function figure(header: string, name: string): number | undefined {
  const found = new RegExp(`${name};desc="(\\d+)"`).exec(header);
  return found ? Number(found[1]) : undefined;
}

/** Returns a function that sends the request of an operation, and notes what its answer cost. */
function observed({ key, context }: Operation): typeof fetch {
  const send: typeof fetch = async (input, init) => {
    const known = find(open.get(key));
    if (!known) return (context.fetch ?? fetch)(input, init);
    const number = known.isWaiting && known.source !== "network" ? known.number : again(known, key);
    const url = new URL(String(input), location.href);
    if (!init?.body) addresses.set(url.href, number);
    const hasText = typeof init?.body === "string" ? /"query":"/.test(init.body) : url.searchParams.has("query");
    change(number, { byId: !hasText });
    const response = await (context.fetch ?? fetch)(input, init);
    const used = response.headers.get("server-timing") ?? "";
    const bytes = Number(response.headers.get("content-length")) || undefined;
    change(number, { source: "network", redis: figure(used, "redis"), sql: figure(used, "sql"), bytes });
    return response;
  };
  ours.add(send);
  return send;
}

/** Adds a row for an operation that is sent again: a query that is read anew, or another attempt. */
function again(known: Sent, key: number): number {
  const number = ++last;
  open.set(key, number);
  started.set(number, performance.now());
  change(known.number, { isWaiting: false, wasRepeated: known.isWaiting });
  const { kind, name, id, text, variables } = known;
  add({ ...blank, number, key, at: Date.now(), kind, name, id, text, variables });
  return number;
}

function answered({ operation, data, error, extensions, stale }: OperationResult): void {
  const one = find(open.get(operation.key));
  if (!one) return;
  const isEvent = one.kind === "subscription";
  if (!one.isWaiting && !isEvent) return; // something else has changed in the cache
  const outcome = operation.context.meta?.cacheOutcome;
  const fromKit = one.source === undefined && !isEvent && outcome === "hit" && data !== undefined;
  const since = started.get(one.number);
  const news: Partial<Sent> = {
    isWaiting: isEvent || (stale ?? false),
    milliseconds: since === undefined || isEvent ? one.milliseconds : performance.now() - since,
    problem: error ? ((error.graphQLErrors[0]?.extensions?.code as string | undefined) ?? error.message) : undefined,
  };
  if (fromKit) Object.assign(news, { source: "kit", wasShownFromKit: stale ?? false });
  else {
    news.cost = (extensions?.cost as number | undefined) ?? one.cost;
    news.missing = degradedOf({ extensions }).map(({ field, reason }) => `${field}: ${reason}`);
    if (isEvent) Object.assign(news, { source: "socket", events: one.events + 1 });
  }
  change(one.number, news);
}

/** Notes whether the answer to a query was in the cache of the browser. */
function watchResources(): void {
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceResourceTiming[]) {
      if (!NAME.test(entry.name)) continue;
      const number = addresses.get(entry.name);
      if (number === undefined) continue;
      addresses.delete(entry.name);
      const { transferSize, encodedBodySize } = entry;
      if (!encodedBodySize) continue;
      if (!transferSize) change(number, { source: "browser", redis: undefined, sql: undefined });
      else if (transferSize <= HEADERS) change(number, { source: "unchanged" }); // no body was sent
    }
  });
  observer.observe({ type: "resource" });
}

watchResources();

/** Remembers the newest operations of the app, and what their answers say about their cost. */
export const recordingExchange: Exchange =
  ({ forward }) =>
  (operations) =>
    pipe(
      operations,
      map((operation) => {
        const { kind, key } = operation;
        if (kind === "teardown") {
          end(key);
          return operation;
        }
        if (kind === "mutation" || !open.has(key)) begin(operation);
        if (operation.context.fetch && ours.has(operation.context.fetch)) return operation;
        return makeOperation(kind, operation, { ...operation.context, fetch: observed(operation) });
      }),
      forward,
      tap(answered),
    );

/** Forgets the operations so far. */
export function clearSent(): void {
  publish([]);
}

/** Calls `listener` with the newest operations after each change. Returns how to stop. */
export function onSent(listener: (sent: readonly Sent[]) => void): () => void {
  const call = () => listener(sent);
  listeners.add(call);
  return () => listeners.delete(call);
}

/** Returns the newest operations, newest first. */
export function useSent(): readonly Sent[] {
  return useSyncExternalStore(onSent, () => sent);
}
