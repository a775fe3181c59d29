import { type ClientOptions, createPlauditClient } from "@plaudit/client";
import { PlauditProvider as ClientProvider } from "@plaudit/client/react";
import type { Client } from "urql";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";

type TokenSource = NonNullable<ClientOptions["token"]>;

/** The addresses of your pages. What has no address is shown as plain text. */
export interface Links {
  user?: (handle: string) => string;
  post?: (id: string) => string;
  topic?: (name: string) => string;
}

export interface Settings {
  /** The language of the components, such as `en` or `zh-Hans`; that of the browser by default. */
  language?: string;
  /** Messages in the Fluent syntax. They replace those of the language, one by one. */
  messages?: string;
  links?: Links;
  /** Is called when a person who is not signed in wants to do something for which a user is needed. */
  onSignInNeeded?: () => void;
}

export interface PlauditProviderProps extends Settings {
  /** The address of the API, such as `https://api.example/graphql`. */
  api?: string;
  /**
   * The token of the signed-in user, or a function that returns it: see `ClientOptions.token`. Without a token, nobody is
   * signed in.
   */
  token?: string | null | TokenSource;
  /** Identifies the signed-in user. Another value makes a new client, because the cache of a client belongs to one user. */
  user?: string | null;
  /** More options of the client. Only their first values count. */
  options?: Omit<ClientOptions, "url" | "token">;
  /** A client that you have created. Then `api` and `options` are not used. */
  client?: Client;
  children?: ReactNode;
}

/** What components know of the person who uses them. */
export interface Session extends Settings {
  /** Undefined until it is known. */
  isSignedIn: boolean | undefined;
  /** Resolves to whether somebody is signed in. If not, calls `onSignInNeeded`. */
  mayWrite: () => Promise<boolean>;
}

const Context = createContext<Session | null>(null);

/** Gives the components and hooks below it a client, the signed-in user and a language. */
export function PlauditProvider(props: PlauditProviderProps) {
  const { api, token, user, options, client: given, children, language, messages, links, onSignInNeeded } = props;
  const current = useRef({ token, onSignInNeeded });
  current.current = { token, onSignInNeeded };
  const read: TokenSource = useCallback((expired) => {
    const source = current.current.token;
    return typeof source === "function" ? source(expired) : (source ?? null);
  }, []);
  const hasToken = Boolean(token);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a renewed token or changed options need no new client
  const client = useMemo(
    () => given ?? createPlauditClient({ ...options, url: api ?? "/graphql", token: read }),
    [given, api, user, hasToken],
  );
  const [known, setKnown] = useState<{ client: Client; isSignedIn: boolean }>();
  useEffect(() => {
    let isCurrent = true;
    const note = (isSignedIn: boolean) => isCurrent && setKnown({ client, isSignedIn });
    Promise.resolve(read(false)).then((found) => note(found !== null), () => note(false));
    return () => {
      isCurrent = false;
    };
  }, [client, read]);
  const isSignedIn = known?.client === client ? known.isSignedIn : hasToken ? undefined : false;
  const mayWrite = useCallback(async () => {
    const isAllowed = (await read(false)) !== null;
    if (!isAllowed) current.current.onSignInNeeded?.();
    return isAllowed;
  }, [read]);
  const session = useMemo(
    () => ({ isSignedIn, mayWrite, language, messages, links, onSignInNeeded }),
    [isSignedIn, mayWrite, language, messages, links, onSignInNeeded],
  );
  return (
    <Context.Provider value={session}>
      <ClientProvider value={client}>{children}</ClientProvider>
    </Context.Provider>
  );
}

/** Returns what the provider says of the person who uses the page. */
export function useSession(): Session {
  const session = useContext(Context);
  if (!session) throw new Error("Put PlauditProvider above the components and hooks of @plaudit/react.");
  return session;
}
