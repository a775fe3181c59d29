import { createPlauditClient, MeDocument } from "@plaudit/client";
import { PlauditProvider, useRead } from "@plaudit/client/react";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
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
  /** Signs in as a person; null signs out. */
  choose: (handle: string | null) => void;
}

const Context = createContext<Session>({ people: [], person: null, choose: () => {} });

function remembered(): string | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}").handle ?? null;
  } catch {
    return null;
  }
}

async function load(): Promise<Person[]> {
  const response = await fetch("/graphiql/session");
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return (await response.json()).users;
}

/** Signs people in, and gives each signed-in person a client of their own. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [people, setPeople] = useState<Person[] | null>(null);
  const [handle, setHandle] = useState(remembered);
  useEffect(() => {
    load().then(setPeople, () => setPeople([]));
  }, []);
  const person = people?.find((one) => one.handle === handle) ?? null;
  const name = person?.handle;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one client for each person, not for each token
  const client = useMemo(() => {
    let token = person?.token ?? null;
    return createPlauditClient({
      url: new URL("/graphql", location.href).href,
      persisted: "automatic",
      exchanges: [recordingExchange],
      token: async (expired) => {
        if (expired && name) token = (await load()).find((one) => one.handle === name)?.token ?? null;
        return token;
      },
    });
  }, [name]);
  const choose = (chosen: string | null) => {
    sessionStorage.setItem(KEY, JSON.stringify(chosen ? { kind: "user", handle: chosen } : { kind: "anonymous" }));
    setHandle(chosen);
  };
  if (people === null) return null;
  return (
    <Context value={{ people, person, choose }}>
      <PlauditProvider key={name ?? ""} value={client}>
        {children}
      </PlauditProvider>
    </Context>
  );
}

export function useSession(): Session {
  return useContext(Context);
}

/** Returns the signed-in user as the API knows them; null if nobody is signed in. */
export function useMe() {
  const { person } = useSession();
  const [{ data }] = useRead({ query: MeDocument, variables: {}, pause: !person });
  return person ? (data?.viewer ?? null) : null;
}
