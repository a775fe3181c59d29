import { LabelsDocument, SetLabelsDocument } from "@plaudit/client";
import { useState } from "react";
import { useMutation, useQuery } from "urql";
import { say } from "../language.tsx";
import { messageOf } from "../outcome.ts";
import { GroundAndReason, NO_REASON } from "./grounds.tsx";
import { type Content, isContent } from "./parts.tsx";

/** Sets the labels of moderators on a post or comment. Labels of the author stay. */
export function Labeling({ node }: { node: Content }) {
  const [{ data }] = useQuery({ query: LabelsDocument, variables: {} });
  if (!isContent(node) || !data?.labels.length) return null;
  return (
    <details>
      <summary>{say("labels")}</summary>
      <LabelForm key={node.id} node={node} all={data.labels} />
    </details>
  );
}

function LabelForm({ node, all }: { node: Extract<Content, { __typename: "Post" | "Comment" }>; all: readonly { name: string; title: string }[] }) {
  const set = node.labels.filter(({ source }) => source === "MODERATOR").map(({ name }) => name);
  // Only what this moderator changes, so that labels that others set meanwhile stay.
  const [changes, setChanges] = useState<Readonly<Record<string, boolean>>>({});
  const chosen = [...new Set([...set, ...Object.keys(changes)])].filter((name) => changes[name] ?? true);
  const [reasoned, setReasoned] = useState(NO_REASON);
  const [message, setMessage] = useState("");
  const [, setLabels] = useMutation(SetLabelsDocument);
  const submit = async () => {
    const problem = messageOf(await setLabels({ targetId: node.id, labels: chosen, ...reasoned }));
    setMessage(problem ?? say("labels-set"));
    if (problem) return;
    setReasoned(NO_REASON);
    setChanges({});
  };
  return (
    <div className="suspend">
      <fieldset className="inline">
        <legend>{say("labels-of-moderators")}</legend>
        {all.map(({ name, title }) => <label key={name}><input type="checkbox" checked={chosen.includes(name)} onChange={({ target }) => setChanges({ ...changes, [name]: target.checked })} /> {title}</label>)}
      </fieldset>
      <GroundAndReason value={reasoned} onChange={setReasoned} label={say("reason-for-labels")} />
      <div className="inline"><button type="button" disabled={!reasoned.reason.trim()} onClick={submit}>{say("set-labels")}</button></div>
      <p role="status">{message}</p>
    </div>
  );
}
