import { createPlauditClient } from "@plaudit/client";
import { PlauditProvider } from "@plaudit/client/react";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { type Deletion, deletionExchange } from "./deletion.ts";
import { recordingExchange } from "./recorder.ts";

// GraphiQL uses this key, too, so that both pages have one signed-in user.
const KEY = "plaudit.session";

export interface Person {
  handle: string;
  displayName: string;
  token: string;
}

interface Session {
  people: Person[];
  person: Person | null;
  /**
   * Signs in as a person of the demo data; null signs out. Resolves to whether there is such a person. With `to` the
   * person begins at this path: all of the page is made anew, so a link could not lead there.
   */
  choose: (handle: string | null, to?: string) => Promise<boolean>;
  /** The deletion of the account of the signed-in person; null if it is not deleted. */
  deletion: Deletion | null;
  setDeletion: (deletion: Deletion | null) => void;
}

const Context = createContext<Session>({ people: [], person: null, choose: async () => false, deletion: null, setDeletion: () => {} });

function remembered(): string | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}").handle ?? null;
  } catch {
    return null;
  }
}

let isSwitchOffered = false;

/** Returns whether the server has a failure switch. */
export function hasSwitch(): boolean {
  return isSwitchOffered;
}

async function read(search = ""): Promise<Person[]> {
  const response = await fetch(`/graphiql/session${search}`);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const { users, hasSwitch: isOffered } = await response.json();
  isSwitchOffered = isOffered;
  return users;
}

/** Returns the people whom the page offers, and the one with this handle if it is another person of the demo data. */
async function load(handle: string | null): Promise<Person[]> {
  const people = await read();
  if (!handle || people.some((one) => one.handle === handle)) return people;
  return [...people, ...(await read(`?user=${encodeURIComponent(handle)}`))];
}

/** Signs people in, and gives each signed-in person a client of their own. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [people, setPeople] = useState<Person[] | null>(null);
  const [handle, setHandle] = useState(remembered);
  const [deletions, setDeletions] = useState<Record<string, Deletion | null>>({}); // by handle: late answers may be about others
  useEffect(() => {
    load(remembered()).then(setPeople, () => setPeople([]));
  }, []);
  const person = people?.find((one) => one.handle === handle) ?? null;
  const name = person?.handle;
  const setDeletion = (deletion: Deletion | null) => {
    if (name) setDeletions((all) => ({ ...all, [name]: deletion }));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: one client for each person, not for each token
  const client = useMemo(() => {
    let token = person?.token ?? null;
    return createPlauditClient({
      url: new URL("/graphql", location.href).href,
      persisted: "automatic",
      exchanges: [recordingExchange, deletionExchange(setDeletion)],
      token: async (expired) => {
        if (expired && name) token = (await load(name)).find((one) => one.handle === name)?.token ?? null;
        return token;
      },
    });
  }, [name]);
  const choose = async (chosen: string | null, to?: string) => {
    if (chosen && !people?.some((one) => one.handle === chosen)) {
      const found = await load(chosen).catch(() => []);
      if (!found.some((one) => one.handle === chosen)) return false;
      setPeople(found);
    }
    sessionStorage.setItem(KEY, JSON.stringify(chosen ? { kind: "user", handle: chosen } : { kind: "anonymous" }));
    if (to) history.pushState({ key: String(Date.now()) }, "", to);
    setHandle(chosen);
    setDeletions({}); // the API says again whether the account is deleted
    return true;
  };
  if (people === null) return null;
  return (
    <Context value={{ people, person, choose, deletion: (name && deletions[name]) || null, setDeletion }}>
      <PlauditProvider key={name ?? ""} value={client}>
        {children}
      </PlauditProvider>
    </Context>
  );
}

export function useSession(): Session {
  return useContext(Context);
}
