import { AccountDocument, type DeletionMode, DeleteUserDocument, DiscoverableDocument, SetDiscoverableDocument } from "@plaudit/client";
import { useRead, useWrite } from "@plaudit/client/react";
import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router";
import { Download } from "../download.tsx";
import { Heading } from "../heading.tsx";
import { messageOf } from "../outcome.ts";
import { useSession } from "../session.tsx";
import { Setting } from "../setting.tsx";

/** The settings and the data of the signed-in person: download it, delete it. */
export function Account() {
  const { person } = useSession();
  return (
    <>
      <Heading title="Account" />
      {person && <Own handle={person.handle} />}
    </>
  );
}

function Own({ handle }: { handle: string }) {
  const [{ data }] = useRead({ query: AccountDocument, variables: {} });
  return (
    <>
      <Findable />
      <Download last={data?.viewer?.export} />
      <h2>Delete the account</h2>
      <Delete handle={handle} />
    </>
  );
}

function Findable() {
  const [{ data }] = useRead({ query: DiscoverableDocument, variables: {} });
  const [, set] = useWrite(SetDiscoverableDocument);
  return <Setting label="Searches find me" isOn={data?.viewer?.isDiscoverable} set={(discoverable) => set({ discoverable })} />;
}

const MODES: [DeletionMode, string][] = [
  ["ANONYMIZE", "Keep them without your name. Their author is shown as “Deleted user”."],
  ["ERASE", "Remove them. A comment with replies keeps its place, without text and author."],
];

function Delete({ handle }: { handle: string }) {
  const { setDeletion } = useSession();
  const navigate = useNavigate();
  const [{ fetching }, deleteUser] = useWrite(DeleteUserDocument);
  const [mode, setMode] = useState<DeletionMode | null>(null);
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const result = await deleteUser({ mode: mode! });
    const deletion = result.data?.deleteUser?.deletion;
    setProblem(messageOf(result));
    if (!deletion) return;
    setDeletion(deletion);
    navigate("/"); // so that the next heading takes the focus
  };
  return (
    <form className="card delete" onSubmit={send} aria-label="Delete the account">
      <p>As soon as you press the button, nobody else sees your account, posts and comments. For some time you can restore everything: the next page says until when. After that, your profile, likes, follows, favourites and notifications are removed for ever.</p>
      <fieldset>
        <legend>What happens to your posts and comments after that?</legend>
        {MODES.map(([value, label]) => (
          <label key={value}><input type="radio" name="mode" checked={mode === value} onChange={() => setMode(value)} /> <span>{label}</span></label>
        ))}
      </fieldset>
      <p>
        <label>To confirm, type your handle, <b>{handle}</b> <input value={typed} autoComplete="off" autoCapitalize="none" spellCheck={false} onChange={(event) => setTyped(event.target.value)} /></label>
      </p>
      <button type="submit" disabled={!mode || typed.trim() !== handle || fetching}>Delete the account</button>
      {problem && <p role="alert" className="problem">{problem}</p>}
    </form>
  );
}
