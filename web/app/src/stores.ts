import { useSyncExternalStore } from "react";
import { onSent } from "./recorder.ts";

/** The failure switch of `plaudit dev`: which stores run. */
export type Store = "redis" | "postgres";
export type StoreState = "running" | "stopped" | "starting";
export type Stores = Partial<Record<Store, StoreState>>;

const PATH = "/graphiql/stores";
const HEADERS = { "X-Plaudit-Dev": "1" };
const PAUSE = 2_000; // milliseconds between two questions while something watches, or while a store does not run

let stores: Stores | null = null; // null: there is no switch, or it has not answered yet
let isOffered = false;
let watchers = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function publish(next: Stores): void {
  if (JSON.stringify(next) === JSON.stringify(stores)) return;
  stores = next;
  for (const listener of listeners) listener();
}

async function ask(path = "", init: RequestInit = {}): Promise<void> {
  const response = await fetch(PATH + path, { ...init, headers: HEADERS });
  if (!response.ok) throw new Error(((await response.json()) as { error: string }).error);
  publish(await response.json());
}

async function look(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  await ask().catch(() => {}); // asked again later
  const isWhole = stores !== null && Object.values(stores).every((state) => state === "running");
  if ((watchers > 0 || !isWhole) && timer === undefined) timer = setTimeout(look, PAUSE);
}

/** Looks at the stores now, and again when an answer of the API lacks something. Call it if the server has the switch. */
export function offerSwitch(): void {
  if (isOffered) return;
  isOffered = true;
  void look();
  let newest = 0;
  onSent(([one]) => {
    if (!one || one.number === newest || !(one.problem || one.missing.length)) return;
    newest = one.number;
    if (timer === undefined) void look();
  });
}

/** Stops or starts a store. Throws an error with a message if that is not possible. */
export async function turn(store: Store, verb: "stop" | "start"): Promise<void> {
  await ask(`/${store}/${verb}`, { method: "POST" });
  if (timer === undefined) void look();
}

/** Keeps asking for the states until the returned function is called. */
export function watchStores(): () => void {
  watchers += 1;
  if (isOffered && timer === undefined) void look();
  return () => {
    watchers -= 1;
  };
}

/** Returns the states of the stores that can be stopped; null if there is no switch. */
export function useStores(): Stores | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => stores,
  );
}
