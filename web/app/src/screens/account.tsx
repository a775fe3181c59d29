import { AccountDocument, type DeletionMode, DeleteUserDocument, DiscoverableDocument, SetDiscoverableDocument } from "@plaudit/client";
import { useRead, useWrite } from "@plaudit/client/react";
import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router";
import { Download } from "../download.tsx";
import { Heading } from "../heading.tsx";
import { Say, say } from "../language.tsx";
import { messageOf } from "../outcome.ts";
import { useSession } from "../session.tsx";
import { Setting } from "../setting.tsx";
import { Statements } from "../statements.tsx";

/** The settings and the data of the signed-in person: download it, delete it. */
export function Account() {
  const { person } = useSession();
  return (
    <>
      <Heading title={say("account")} />
      {person && <Own handle={person.handle} />}
    </>
  );
}

function Own({ handle }: { handle: string }) {
  const [{ data }] = useRead({ query: AccountDocument, variables: {} });
  return (
    <>
      <Findable />
      <Statements />
      <Download last={data?.viewer?.export} />
      <h2>{say("delete-account")}</h2>
      <Delete handle={handle} />
    </>
  );
}

function Findable() {
  const [{ data }] = useRead({ query: DiscoverableDocument, variables: {} });
  const [, set] = useWrite(SetDiscoverableDocument);
  return <Setting label={say("searches-find-me")} isOn={data?.viewer?.isDiscoverable} set={(discoverable) => set({ discoverable })} />;
}

const MODES: DeletionMode[] = ["ANONYMIZE", "ERASE"];

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
    <form className="card delete" onSubmit={send} aria-label={say("delete-account")}>
      <p>{say("delete-means")}</p>
      <fieldset>
        <legend>{say("delete-what")}</legend>
        {MODES.map((value) => (
          <label key={value}><input type="radio" name="mode" checked={mode === value} onChange={() => setMode(value)} /> <span>{say(`delete-${value}`)}</span></label>
        ))}
      </fieldset>
      <p>
        <label><Say id="delete-confirm" handle={<b>{handle}</b>} /> <input value={typed} autoComplete="off" autoCapitalize="none" spellCheck={false} onChange={(event) => setTyped(event.target.value)} /></label>
      </p>
      <button type="submit" disabled={!mode || typed.trim() !== handle || fetching}>{say("delete-account")}</button>
      {problem && <p role="alert" className="problem">{problem}</p>}
    </form>
  );
}
