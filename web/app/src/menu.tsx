import { BlockDocument, CollectionsDocument, MuteDocument, ReportDocument, type ReportReason, SaveDocument } from "@plaudit/client";
import { useRef, useState } from "react";
import { useMutation, useQuery } from "urql";
import { Icon } from "./icons.tsx";
import { messageOf } from "./outcome.ts";
import { useSession } from "./session.tsx";

const REASONS: [ReportReason, string][] = [
  ["SPAM", "Spam"],
  ["HARASSMENT", "Harassment"],
  ["HATE", "Hatred"],
  ["VIOLENCE", "Violence"],
  ["MISINFORMATION", "False information"],
  ["OTHER", "Something else"],
];

type Run = (act: () => Promise<{ error?: unknown; data?: unknown }>, done: string) => Promise<void>;

/** What else a person can do with a post, a comment or a user: mute, block, report, delete. */
export function Menu({ targetId, user, savable, onDelete, onDetach }: {
  targetId: string;
  user: { id: string; handle: string } | null;
  savable?: boolean;
  onDelete?: () => unknown;
  onDetach?: () => unknown;
}) {
  const { person } = useSession();
  const dialog = useRef<HTMLDialogElement>(null);
  const [, mute] = useMutation(MuteDocument);
  const [, block] = useMutation(BlockDocument);
  const [message, setMessage] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  if (!person) return null;
  const isOther = user !== null && user.handle !== person.handle;
  const run: Run = async (act, done) => {
    setMessage(messageOf(await act()) ?? done);
  };
  return (
    <>
      <button type="button" className="menu" aria-label="More" onClick={() => { setMessage(""); setIsOpen(true); dialog.current?.showModal(); }}><Icon name="more" /></button>
      <dialog ref={dialog} aria-label="Actions" onClose={() => setIsOpen(false)}>
        {message && <p role="status">{message}</p>}
        {onDelete && <button type="button" onClick={() => { onDelete(); dialog.current?.close(); }}>Delete</button>}
        {onDetach && <button type="button" onClick={() => { onDetach(); dialog.current?.close(); }}>Remove my post from this quote</button>}
        {isOpen && savable && <Collections targetId={targetId} run={run} />}
        {isOther && (
          <>
            <button type="button" onClick={() => run(() => mute({ userId: user.id }), `You no longer see @${user.handle}.`)}>Mute @{user.handle}</button>
            <button type="button" onClick={() => run(() => block({ userId: user.id }), `You have blocked @${user.handle}.`)}>Block @{user.handle}</button>
            {isOpen && <Report targetId={targetId} run={run} />}
          </>
        )}
        <button type="button" onClick={() => dialog.current?.close()}>Close</button>
      </dialog>
    </>
  );
}

function Report({ targetId, run }: { targetId: string; run: Run }) {
  const [, report] = useMutation(ReportDocument);
  const [note, setNote] = useState("");
  const send = (reason: ReportReason) => run(() => report({ targetId, reason, note: note.trim() || null }), "Thank you. A moderator looks at it.");
  return (
    <fieldset>
      <legend>Report</legend>
      <textarea aria-label="Note for the moderators (optional)" placeholder="Note for the moderators (optional)" rows={2} maxLength={1000} value={note} onChange={(event) => setNote(event.target.value)} />
      {REASONS.map(([reason, label]) => <button type="button" key={reason} onClick={() => send(reason)}>{label}</button>)}
    </fieldset>
  );
}

function Collections({ targetId, run }: { targetId: string; run: Run }) {
  const [{ data }] = useQuery({ query: CollectionsDocument, variables: { first: 50 } });
  const [, save] = useMutation(SaveDocument);
  const collections = data?.viewer?.collections?.edges ?? [];
  if (!collections.length) return null;
  return (
    <fieldset>
      <legend>Save in a collection</legend>
      {collections.map(({ node: { id, name } }) => (
        <button type="button" key={id} onClick={() => run(() => save({ targetId, collectionId: id }), `Saved in ${name}.`)}>{name}</button>
      ))}
    </fieldset>
  );
}
