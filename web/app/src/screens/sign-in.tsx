import { PersonDocument } from "@plaudit/client";
import { type FormEvent, useState } from "react";
import { useQuery } from "urql";
import { Heading } from "../heading.tsx";
import { say } from "../language.tsx";
import { type Person, useSession } from "../session.tsx";
import { Avatar, Handle } from "../ui.tsx";

/** Lets people sign in as somebody of the demo data: those who are offered, or anybody by handle. */
export function SignIn() {
  const { people, person, choose } = useSession();
  const [handle, setHandle] = useState("");
  const [isUnknown, setIsUnknown] = useState(false);
  const enter = async (chosen: string) => {
    setIsUnknown(!(await choose(chosen, "/")));
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    enter(handle.trim().replace(/^@/, "").toLowerCase());
  };
  return (
    <>
      <Heading title={say("sign-in")} />
      <p className="empty">{say("sign-in-means")}</p>
      <ul className="people" aria-label={say("demo-people")}>
        {people.map((one) => <li key={one.handle}><Choice person={one} isChosen={one.handle === person?.handle} onChoose={() => enter(one.handle)} /></li>)}
      </ul>
      <form className="card" onSubmit={send}>
        <h2>{say("somebody-else")}</h2>
        <p className="empty">{say("somebody-else-means")}</p>
        <p className="inline">
          <input aria-label={say("handle")} placeholder={say("handle")} autoCapitalize="none" autoComplete="off" spellCheck={false} maxLength={64} value={handle} onChange={(event) => setHandle(event.target.value)} />
          <button type="submit" className="primary" disabled={!handle.trim()}>{say("sign-in")}</button>
        </p>
        {isUnknown && <p role="alert" className="problem">{say("only-demo-people")}</p>}
      </form>
    </>
  );
}

function Choice({ person, isChosen, onChoose }: { person: Person; isChosen: boolean; onChoose: () => void }) {
  const { handle, displayName } = person;
  const [{ data }] = useQuery({ query: PersonDocument, variables: { handle } });
  const about = handle === "moderator" ? say("about-moderator") : data?.user?.bio;
  return (
    <button type="button" aria-current={isChosen} onClick={onChoose}>
      <Avatar user={data?.user ?? person} />
      <span className="text">
        <span className="name">{displayName}</span> <Handle of={{ handle }} />
        {about && <span className="about" dir="auto">{about}</span>}
      </span>
    </button>
  );
}
