import { BlockDocument, CollectionsDocument, MuteDocument, ReportDocument, type ReportReason, SaveDocument } from "@plaudit/client";
import { useRef, useState } from "react";
import { useMutation, useQuery } from "urql";
import { Icon } from "./icons.tsx";
import { say } from "./language.tsx";
import { messageOf } from "./outcome.ts";
import { useSession } from "./session.tsx";

const REASONS: ReportReason[] = ["SPAM", "HARASSMENT", "HATE", "VIOLENCE", "MISINFORMATION", "OTHER"];

type Run = (act: () => Promise<{ error?: unknown; data?: unknown }>, done: string) => Promise<void>;

/** What else a person can do with a post, a comment or a user: mute, block, report, delete. */
export function Menu({ targetId, user, savable, onDelete, onDetach, onHide, onLess }: {
  targetId: string;
  user: { id: string; handle: string } | null;
  savable?: boolean;
  onDelete?: () => unknown;
  onDetach?: () => unknown;
  onHide?: () => Promise<{ error?: unknown; data?: unknown }>;
  onLess?: () => Promise<{ error?: unknown; data?: unknown }>;
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
      <button type="button" className="menu" aria-label={say("more")} onClick={() => { setMessage(""); setIsOpen(true); dialog.current?.showModal(); }}><Icon name="more" /></button>
      <dialog ref={dialog} aria-label={say("actions")} onClose={() => setIsOpen(false)}>
        {message && <p role="status">{message}</p>}
        {onDelete && <button type="button" onClick={() => { onDelete(); dialog.current?.close(); }}>{say("delete")}</button>}
        {onDetach && <button type="button" onClick={() => { onDetach(); dialog.current?.close(); }}>{say("detach")}</button>}
        {onHide && <button type="button" onClick={() => run(onHide, say("hidden-now"))}>{say("hide")}</button>}
        {onLess && <button type="button" onClick={() => run(onLess, say("less-now"))}>{say("less")}</button>}
        {isOpen && savable && <Collections targetId={targetId} run={run} />}
        {isOther && (
          <>
            <button type="button" onClick={() => run(() => mute({ userId: user.id }), say("muted-now", { handle: user.handle }))}>{say("mute-user", { handle: user.handle })}</button>
            <button type="button" onClick={() => run(() => block({ userId: user.id }), say("blocked-now", { handle: user.handle }))}>{say("block-user", { handle: user.handle })}</button>
            {isOpen && <Report targetId={targetId} run={run} />}
          </>
        )}
        <button type="button" onClick={() => dialog.current?.close()}>{say("close")}</button>
      </dialog>
    </>
  );
}

function Report({ targetId, run }: { targetId: string; run: Run }) {
  const [, report] = useMutation(ReportDocument);
  const [note, setNote] = useState("");
  const send = (reason: ReportReason) => run(() => report({ targetId, reason, note: note.trim() || null }), say("reported"));
  return (
    <fieldset>
      <legend>{say("report")}</legend>
      <textarea aria-label={say("report-note")} placeholder={say("report-note")} rows={2} maxLength={1000} value={note} onChange={(event) => setNote(event.target.value)} />
      {REASONS.map((reason) => <button type="button" key={reason} onClick={() => send(reason)}>{say(`report-${reason}`)}</button>)}
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
      <legend>{say("save-in")}</legend>
      {collections.map(({ node: { id, name } }) => (
        <button type="button" key={id} onClick={() => run(() => save({ targetId, collectionId: id }), say("saved-in", { name }))}>{name}</button>
      ))}
    </fieldset>
  );
}
