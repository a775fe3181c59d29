import { DiscoverableDocument, type NotificationKind, NotificationPreferencesDocument, type QuotePolicy, QuotePolicyDocument, SetDiscoverableDocument, SetNotificationPreferencesDocument, SetQuotePolicyDocument, SetLanguageDocument, UpdateProfileDocument } from "@plaudit/client";
import { useRead, useWrite } from "@plaudit/client/react";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { useMutation } from "urql";
import { Heading } from "../heading.tsx";
import { LanguageMenu, say } from "../language.tsx";
import { messageOf } from "../outcome.ts";
import { useSession } from "../session.tsx";
import { Setting } from "../setting.tsx";
import "../people.css";

const KINDS: NotificationKind[] = ["LIKE", "COMMENT", "REPLY", "MENTION", "FOLLOW", "FOLLOW_REQUEST", "FOLLOW_ACCEPTED", "REPOST", "QUOTE", "NEW_POST", "MODERATION", "REPORT"];
const POLICIES: QuotePolicy[] = ["EVERYONE", "FOLLOWERS", "NOBODY"];

/** All that a person can set, and where the rest is. */
export function Settings() {
  const { person } = useSession();
  return (
    <>
      <Heading title={say("settings")} />
      {person && <Own handle={person.handle} />}
    </>
  );
}

function Own({ handle }: { handle: string }) {
  return (
    <>
      <Section title={say("profile")}>
        <Way to={`/users/${handle}`} title={say("edit-profile")} what={say("edit-profile-what")} />
      </Section>
      <Section title={say("privacy")}><Privacy /></Section>
      <Section title={say("language")}><Language /></Section>
      <Section title={say("notifications")}><Wanted /></Section>
      <Section title={say("your-data")}>
        <Way to="/account" title={say("account")} what={say("account-what")} />
      </Section>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return <section className="card settings" aria-label={title}><h2>{title}</h2>{children}</section>;
}

/** A link to another screen of settings. */
function Way({ to, title, what }: { to: string; title: string; what: string }) {
  return <p className="way"><Link to={to}>{title}</Link><span className="handle">{what}</span></p>;
}

function Privacy() {
  const [{ data }] = useRead({ query: QuotePolicyDocument, variables: {} });
  const [{ data: search }] = useRead({ query: DiscoverableDocument, variables: {} });
  const [, update] = useMutation(UpdateProfileDocument);
  const [, setFindable] = useWrite(SetDiscoverableDocument);
  return (
    <>
      <Setting label={say("private-means")} isOn={data?.viewer?.user?.isPrivate} set={(isPrivate) => update({ isPrivate })} />
      <Setting label={say("searches-find-me")} isOn={search?.viewer?.isDiscoverable} set={(discoverable) => setFindable({ discoverable })} />
      <Quotes policy={data?.viewer?.user?.quotePolicy} />
      <Way to="/boundaries" title={say("boundaries")} what={say("boundaries-what")} />
      <Way to="/filters" title={say("filters")} what={say("filters-what")} />
    </>
  );
}

function Quotes({ policy }: { policy: QuotePolicy | null | undefined }) {
  const [, set] = useWrite(SetQuotePolicyDocument);
  const [problem, setProblem] = useState<string | null>(null);
  const change = async (chosen: string) => setProblem(messageOf(await set({ policy: chosen as QuotePolicy })));
  return (
    <p>
      <label>{say("who-may-quote")} <select value={policy ?? ""} disabled={!policy} onChange={(event) => change(event.target.value)}>
        {!policy && <option value="" />}
        {POLICIES.map((one) => <option key={one} value={one}>{say(`quotes-${one}`)}</option>)}
      </select></label>
      {problem && <span role="alert" className="problem">{problem}</span>}
    </p>
  );
}

function Language() {
  const [, set] = useMutation(SetLanguageDocument);
  return <p className="inline"><LanguageMenu onChosen={(language) => set({ language })} /> <span className="handle">{say("language-what")}</span></p>;
}

function Wanted() {
  const [{ data }] = useRead({ query: NotificationPreferencesDocument, variables: {} });
  const [, set] = useMutation(SetNotificationPreferencesDocument);
  const wanted = new Map(data?.viewer?.notificationPreferences?.map(({ kind, enabled }) => [kind, enabled]));
  const change = (kind: NotificationKind) => (enabled: boolean) => set({ preferences: [{ kind, enabled }] });
  return KINDS.map((kind) => <Setting key={kind} label={say(`notify-${kind}`)} isOn={wanted.get(kind)} set={change(kind)} />);
}
