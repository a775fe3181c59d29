import { createPlauditClient } from "@plaudit/client";
import { PlauditProvider } from "@plaudit/client/react";
import { createContext, type FormEvent, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import { LanguageMenu, Say, say } from "../language.tsx";
import { enter, isExpiring, issuer, renew, signIn, signOut as signOutAtIssuer } from "./issuer.ts";
import { check, claimsOf, isOfSameUser, keepToken, keptToken, type Moderator, type Role } from "./token.ts";

interface Session {
  moderator: Moderator;
  role: Role;
  /** Whether the token is restricted to businesses: it may decide about content, and not read or suspend users. */
  isRestricted: boolean;
  signOut: () => void;
}

const Context = createContext<Session | null>(null);

export function useSession(): Session {
  return useContext(Context)!;
}

/** The roles: each may do everything that the roles before it may do. */
const ROLES: readonly Role[] = ["AUDITOR", "VIEWER", "MODERATOR", "LEAD"];

/** Returns a function that says whether the signed-in user has at least a role. */
export function useCan(): (least: Role) => boolean {
  const { role } = useSession();
  return (least) => ROLES.indexOf(role) >= ROLES.indexOf(least);
}

interface SignedInUser {
  moderator: Moderator;
  role: Role;
}

/** Shows the console to a moderator, and a form to sign in to everyone else. */
export function SignedIn({ children }: { children: ReactNode }) {
  const [user, setUser] = useState<SignedInUser | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isChecking, setIsChecking] = useState(true);
  useEffect(() => {
    entering ??= enter();
    entering.then(async (refusal) => {
      const token = keptToken();
      const found = refusal === null && token !== null ? await check(token) : { problem: refusal };
      if ("moderator" in found) setUser(found);
      else setProblem(found.problem);
      setIsChecking(false);
    });
  }, []);
  useEffect(() => {
    if (!user) document.title = say("moderation"); // pages have titles of their own
  });
  const signOut = async () => {
    keepToken(null);
    if (!issuer) return location.reload(); // also forgets what the page has read
    const refusal = await signOutAtIssuer();
    setUser(null);
    setProblem(refusal);
  };
  if (user) return <Console user={user} onChecked={(found) => setUser((now) => now && found)} signOut={signOut}>{children}</Console>;
  if (isChecking) return <p className="empty" role="status">{say("signing-in")}</p>;
  return (
    <main className="sign-in">
      <h1>{say("moderation")}</h1>
      {issuer ? <SignInAtIssuer problem={problem} onSignOut={keptToken() ? signOut : undefined} /> : <SignIn problem={problem} onSignedIn={(token, found) => { keepToken(token); setUser(found); }} />}
      <LanguageMenu />
    </main>
  );
}

/** The result of the sign-in that the address contains; once, although React may run effects twice. */
let entering: ReturnType<typeof enter> | undefined;

/** The console waits for a new token: why it has none, and what to do with one. */
interface Waiting {
  problem: string | null;
  isDown: boolean;
  resolve: (token: string) => void;
}

/** Gives the console a client with the moderator's token. When the token expires, gets or asks for a new one and goes on. */
function Console({ user: { moderator, role }, onChecked, signOut, children }: { user: SignedInUser; onChecked: (user: SignedInUser) => void; signOut: () => void; children: ReactNode }) {
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const client = useMemo(() => {
    let asked: Promise<string> | null = null;
    const ask = async () => {
      const renewed = issuer ? await renew() : { problem: null, isDown: false };
      if ("token" in renewed) return renewed.token;
      return new Promise<string>((resolve) => setWaiting({ ...renewed, resolve }));
    };
    const renewed = async () => {
      const token = await ask();
      check(token).then((found) => "moderator" in found && onChecked(found)); // the role may be another one
      return token;
    };
    return createPlauditClient({
      url: new URL("/graphql", location.href).href,
      persisted: "only", // the processes that serve this page know its operations
      token: (expired) => {
        if (!expired) return keptToken();
        asked ??= renewed().finally(() => { asked = null; });
        return asked;
      },
      expiring: isExpiring,
    });
  }, []);
  const goOn = (token: string) => {
    const isSame = isOfSameUser(token, keptToken() ?? "");
    keepToken(token);
    if (!isSame) return location.reload();
    setWaiting(null);
    waiting?.resolve(token);
  };
  const isRestricted = claimsOf(keptToken() ?? "").businesses !== undefined;
  return (
    <Context value={{ moderator, role, isRestricted, signOut }}>
      <PlauditProvider value={client}>{children}</PlauditProvider>
      {waiting && <Renewal waiting={waiting} onSignedIn={goOn} onSignOut={signOut} />}
    </Context>
  );
}

function Renewal({ waiting, onSignedIn, onSignOut }: { waiting: Waiting; onSignedIn: (token: string) => void; onSignOut: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="renewal" aria-labelledby="renewal" onCancel={(event) => event.preventDefault()}>
      <h2 id="renewal">{say("sign-in-ended")}</h2>
      {issuer ? (
        <RenewalAtIssuer waiting={waiting} onSignedIn={onSignedIn} />
      ) : (
        <>
          <p>{say("sign-in-again")}</p>
          <SignIn problem={null} onSignedIn={onSignedIn} />
        </>
      )}
      <button type="button" onClick={onSignOut}>{say("sign-out")}</button>
    </dialog>
  );
}

/** Says why the tokens could not be renewed, and tries again if the issuer did not answer. */
function RenewalAtIssuer({ waiting, onSignedIn }: { waiting: Waiting; onSignedIn: (token: string) => void }) {
  const [refusal, setRefusal] = useState<{ problem: string | null; isDown: boolean }>(waiting);
  const tryAgain = async () => {
    const renewed = await renew();
    if ("token" in renewed) onSignedIn(renewed.token);
    else setRefusal(renewed);
  };
  return (
    <>
      <SignInAtIssuer problem={refusal.problem} />
      {refusal.isDown && <p><button type="button" className="primary" onClick={tryAgain}>{say("try-again")}</button></p>}
      <p className="handle">{say(refusal.isDown ? "trying-again-keeps" : "signing-in-loads")}</p>
    </>
  );
}

function SignInAtIssuer({ problem, onSignOut }: { problem: string | null; onSignOut?: (() => void) | undefined }) {
  const [message, setMessage] = useState<string | null>(null);
  const [isLeaving, setIsLeaving] = useState(false);
  const shown = message ?? problem;
  const leave = async () => {
    setIsLeaving(true);
    setMessage(await signIn());
    setIsLeaving(false);
  };
  return (
    <>
      {shown && <p role="alert" className="notice">{shown}</p>}
      <p className="inline">
        <button type="button" className="primary" disabled={isLeaving} onClick={leave}>{say("sign-in")}</button>
        {onSignOut && <button type="button" onClick={onSignOut}>{say("sign-out")}</button>}
      </p>
    </>
  );
}

/** The page of the team that signs moderators in, which the API writes into the page; empty without one. */
const signInUrl = () => document.getElementById("app")?.dataset.signIn ?? "";

function SignIn({ problem, onSignedIn }: { problem: string | null; onSignedIn: (token: string, user: SignedInUser) => void }) {
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
    if ("moderator" in found) onSignedIn(given, found);
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
