import { type FormEvent, useState } from "react";
import { type Problem, useCollections, useSession } from "../hooks/index.js";
import { useText } from "../text.js";
import { SignIn } from "./composer.js";
import { Failure, PageList } from "./parts.js";

interface PickerProps {
  target: string;
  /** Is called with the name of the collection in which the target was saved. */
  onSaved?: (name: string) => void;
}

/** The viewer's collections, to save a post, comment or entity in one of them or in a new one. */
export function CollectionPicker(props: PickerProps) {
  const { isSignedIn } = useSession();
  const { say } = useText();
  return (
    <section className="plaudit" aria-label={say("save-in")}>
      {isSignedIn === false && <SignIn label={say("sign-in-first")} />}
      {isSignedIn && <Choices {...props} />}
    </section>
  );
}

function Choices({ target, onSaved }: PickerProps) {
  const { say } = useText();
  const collections = useCollections(target);
  const [name, setName] = useState("");
  const [savedIn, setSavedIn] = useState<string>();
  const [problem, setProblem] = useState<Problem | null>(null);
  const finish = (chosen: string, found: Problem | null): void => {
    setProblem(found);
    setSavedIn(found ? undefined : chosen);
    if (!found) onSaved?.(chosen);
  };
  const create = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const found = await collections.create(name.trim());
    finish(name.trim(), found);
    if (!found) setName("");
  };
  return (
    <>
      <PageList pages={collections} label={say("save-in")} empty={say("no-collections")}>
        {(one) => <button type="button" className="plaudit-act" onClick={async () => finish(one.name, await collections.saveIn(one.id))}>{one.name}</button>}
      </PageList>
      <form className="plaudit-row" onSubmit={create}>
        <input aria-label={say("new-collection")} placeholder={say("new-collection")} dir="auto" maxLength={100} value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <button type="submit" className="plaudit-button" disabled={!name.trim()}>{say("create")}</button>
      </form>
      <p role="status" className="plaudit-quiet">{savedIn !== undefined && say("saved-in", { name: savedIn })}</p>
      <Failure of={problem} />
    </>
  );
}
