import { createPlauditClient } from "@plaudit/client";
import { PlauditProvider } from "@plaudit/client/react";
import { createContext, type FormEvent, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import { LanguageMenu, Say, say } from "../language.tsx";
import { check, claimsOf, isOfSameUser, keepToken, keptToken, type Moderator } from "./token.ts";

interface Session {
  moderator: Moderator;
  /** Whether the token is restricted to businesses: it may decide about content, and not read or suspend users. */
  isRestricted: boolean;
  signOut: () => void;
}

const Context = createContext<Session | null>(null);

export function useSession(): Session {
  return useContext(Context)!;
}

function signOut(): void {
  keepToken(null);
  location.reload(); // also forgets what the page has read
}

/** Shows the console to a moderator, and a form to sign in to everyone else. */
export function SignedIn({ children }: { children: ReactNode }) {
  const [moderator, setModerator] = useState<Moderator | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isChecking, setIsChecking] = useState(keptToken() !== null);
  useEffect(() => {
    const token = keptToken();
    if (token === null) return;
    check(token).then((found) => {
      if ("moderator" in found) setModerator(found.moderator);
      else setProblem(found.problem);
      setIsChecking(false);
    });
  }, []);
  useEffect(() => {
    if (!moderator) document.title = say("moderation"); // pages have titles of their own
  });
  if (moderator) return <Console moderator={moderator}>{children}</Console>;
  if (isChecking) return <p className="empty" role="status">{say("signing-in")}</p>;
  return (
    <main className="sign-in">
      <h1>{say("moderation")}</h1>
      <SignIn problem={problem} onSignedIn={(token, found) => { keepToken(token); setModerator(found); }} />
      <LanguageMenu />
    </main>
  );
}

/** Gives the console a client with the moderator's token. When the token expires, asks for a new one and goes on. */
function Console({ moderator, children }: { moderator: Moderator; children: ReactNode }) {
  const [renewal, setRenewal] = useState<((token: string) => void) | null>(null);
  const client = useMemo(() => {
    let asked: Promise<string> | null = null;
    const ask = () => new Promise<string>((resolve) => setRenewal(() => resolve));
    return createPlauditClient({
      url: new URL("/graphql", location.href).href,
      persisted: "only", // the processes that serve this page know its operations
      token: (expired) => {
        if (!expired) return keptToken();
        asked ??= ask().finally(() => { asked = null; });
        return asked;
      },
    });
  }, []);
  const renew = (token: string) => {
    const isSame = isOfSameUser(token, keptToken() ?? "");
    keepToken(token);
    if (!isSame) return location.reload();
    setRenewal(null);
    renewal?.(token);
  };
  const isRestricted = claimsOf(keptToken() ?? "").businesses !== undefined;
  return (
    <Context value={{ moderator, isRestricted, signOut }}>
      <PlauditProvider value={client}>{children}</PlauditProvider>
      {renewal && <Renewal onSignedIn={renew} />}
    </Context>
  );
}

function Renewal({ onSignedIn }: { onSignedIn: (token: string) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="renewal" aria-labelledby="renewal" onCancel={(event) => event.preventDefault()}>
      <h2 id="renewal">{say("sign-in-ended")}</h2>
      <p>{say("sign-in-again")}</p>
      <SignIn problem={null} onSignedIn={onSignedIn} />
      <button type="button" onClick={signOut}>{say("sign-out")}</button>
    </dialog>
  );
}

/** The page of the team that signs moderators in, which the API writes into the page; empty without one. */
const signInUrl = () => document.getElementById("app")?.dataset.signIn ?? "";

function SignIn({ problem, onSignedIn }: { problem: string | null; onSignedIn: (token: string, moderator: Moderator) => void }) {
  const [token, setToken] = useState("");
  const [message, setMessage] = useState(problem);
  const [isChecking, setIsChecking] = useState(false);
  const url = signInUrl();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const given = token.trim().replace(/^Bearer\s+/i, "");
    setIsChecking(true);
    const found = await check(given);
    setIsChecking(false);
    if ("moderator" in found) onSignedIn(given, found.moderator);
    else setMessage(found.problem);
  };
  return (
    <>
      {message && <p role="alert" className="notice">{message}</p>}
      {url && <p><a className="button primary" href={url}>{say("sign-in")}</a></p>}
      <form onSubmit={submit}>
        <label>
          {say(url ? "or-paste-token" : "paste-token")}
          <input type="password" autoComplete="off" spellCheck={false} required value={token} onChange={(event) => setToken(event.target.value)} />
        </label>
        <button type="submit" disabled={isChecking}>{say(isChecking ? "checking" : "use-token")}</button>
      </form>
      <p className="handle"><Say id="token-needs" scope={<code>moderate</code>} /></p>
    </>
  );
}
