import { HiddenPostsDocument, type LabelPreferencesQuery, LabelPreferencesDocument, type LabelVisibility, MutedWordsDocument, MuteWordsDocument, SetLabelPreferencesDocument, UnmuteWordsDocument } from "@plaudit/client";
import { usePages, useRead, useWrite } from "@plaudit/client/react";
import { type FormEvent, useState } from "react";
import { Heading } from "../heading.tsx";
import { say } from "../language.tsx";
import { messageOf } from "../outcome.ts";
import { PostCard } from "../posts.tsx";
import { useSession } from "../session.tsx";
import { momentOf, Nothing, PageList } from "../ui.tsx";

const DAY = 86_400_000;
const DAYS = [0, 1, 7, 30]; // 0: without an end
const VISIBILITIES: LabelVisibility[] = ["SHOW", "WARN", "HIDE"];

type Preference = NonNullable<NonNullable<LabelPreferencesQuery["viewer"]>["labelPreferences"]>[number];

/** What the signed-in person does not want to see: labels, words and single posts. */
export function Filters() {
  const { person } = useSession();
  return (
    <>
      <Heading title={say("filters")} />
      {person && <><Labels /><Words /><Hidden /></>}
    </>
  );
}

function Labels() {
  const [{ data }] = useRead({ query: LabelPreferencesDocument, variables: {} });
  const preferences = data?.viewer?.labelPreferences;
  if (!preferences?.length) return null; // no labels are configured, or they cannot be read
  return <section aria-label={say("labels")}><h2>{say("labels")}</h2>{preferences.map((one) => <Label key={one.label.name} {...one} />)}</section>;
}

function Label({ label: { name, title }, visibility, changeable }: Preference) {
  const [, set] = useWrite(SetLabelPreferencesDocument);
  const [problem, setProblem] = useState<string | null>(null);
  const change = async (chosen: string) => {
    setProblem(messageOf(await set({ preferences: [{ label: name, visibility: chosen as LabelVisibility }] })));
  };
  return (
    <p>
      <label>{title} <select value={visibility} disabled={!changeable} onChange={(event) => change(event.target.value)}>{VISIBILITIES.map((one) => <option key={one} value={one}>{say(`visibility-${one}`)}</option>)}</select></label>
      {!changeable && <span className="handle"> {say("fixed-by-age")}</span>}
      {problem && <span role="alert" className="problem">{problem}</span>}
    </p>
  );
}

function Words() {
  const [{ data }] = useRead({ query: MutedWordsDocument, variables: {} });
  const [, mute] = useWrite(MuteWordsDocument);
  const [, unmute] = useWrite(UnmuteWordsDocument);
  const [text, setText] = useState("");
  const [days, setDays] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const words = data?.viewer?.mutedWords;
  const add = async (event: FormEvent) => {
    event.preventDefault();
    const refusal = messageOf(await mute({ words: [{ text, until: days ? new Date(Date.now() + days * DAY).toISOString() : null }] }));
    setProblem(refusal);
    if (!refusal) setText("");
  };
  return (
    <section aria-label={say("muted-words")}>
      <h2>{say("muted-words")}</h2>
      <p>{say("muted-words-mean")}</p>
      <form className="inline" onSubmit={add}>
        <input dir="auto" aria-label={say("word")} placeholder={say("word")} maxLength={100} value={text} onChange={(event) => setText(event.target.value)} />
        <select aria-label={say("how-long")} value={days} onChange={(event) => setDays(Number(event.target.value))}>{DAYS.map((one) => <option key={one} value={one}>{say("for-days", { count: one })}</option>)}</select>
        <button type="submit" disabled={!text.trim()}>{say("mute")}</button>
        {problem && <span role="alert" className="problem">{problem}</span>}
      </form>
      {words?.length === 0 && <Nothing icon="mute" text={say("no-muted-words")} />}
      <ul className="list">
        {words?.map(({ id, text: word, until }) => (
          <li className="card note" key={id}>
            <span className="text"><bdi>{word}</bdi> {until && <span className="handle">{say("until", { moment: momentOf(until) })}</span>}</span>
            <button type="button" aria-label={say("unmute-word", { word })} onClick={async () => setProblem(messageOf(await unmute({ ids: [id] })))}>{say("remove")}</button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Hidden() {
  const pages = usePages(HiddenPostsDocument, { first: 20 }, ({ viewer }) => viewer?.hiddenPosts);
  return <><h2>{say("hidden-posts")}</h2><PageList pages={pages} label={say("hidden-posts")} empty={<Nothing icon="hide" text={say("no-hidden-posts")} />}>{(post) => <PostCard post={post} />}</PageList></>;
}
