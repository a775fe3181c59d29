import { BlockDocument, CollectionsDocument, MuteDocument, ReportDocument, type ReportReason, SaveDocument, UnblockDocument, UnhidePostDocument, UnmuteDocument } from "@plaudit/client";
import { useState } from "react";
import { useMutation, useQuery } from "urql";
import { Icon } from "./icons.tsx";
import { say } from "./language.tsx";
import type { MenuOf } from "./menu.tsx";
import { messageOf, type Outcome } from "./outcome.ts";
import { useSession } from "./session.tsx";
import { Item, Sheet, sheetOf } from "./sheet.tsx";
import { toast } from "./toasts.tsx";

const REASONS: ReportReason[] = ["SPAM", "HARASSMENT", "HATE", "VIOLENCE", "MISINFORMATION", "OTHER"];

/** Returns a handler of a click that acts, closes the sheet and says what was done. A refusal leaves the sheet open. */
type Doing = (act: () => unknown, done: string, undo?: () => Promise<Outcome>) => (element: Element) => Promise<void>;

/** The sheet of a menu: its actions, or the reasons of a report. */
export function Actions({ onClose, ...of }: MenuOf & { onClose: () => void }) {
  const [reports, setReports] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const doing: Doing = (act, done, undo) => async (element) => {
    const sheet = sheetOf(element); // the element may be gone when the answer comes
    const refusal = messageOf(((await act()) ?? {}) as Outcome);
    setProblem(refusal);
    if (refusal) return;
    sheet?.close();
    toast(done, undo);
  };
  // biome-ignore lint/a11y/noAutofocus: the button that opened the reasons, and had the focus, is gone
  const back = <button type="button" className="back" aria-label={say("back")} autoFocus onClick={() => setReports(false)}><Icon name="back" /></button>;
  return (
    <Sheet title={say(reports ? "report" : "actions")} before={reports && back} onClose={onClose}>
      {problem && <p role="alert" className="problem">{problem}</p>}
      {reports ? <Reasons targetId={of.targetId} doing={doing} /> : <Choices {...of} doing={doing} onReport={() => setReports(true)} />}
    </Sheet>
  );
}

function Choices({ targetId, user, savable, onEdit, onDelete, onDetach, onHide, onLess, doing, onReport }: MenuOf & { doing: Doing; onReport: () => void }) {
  const { person } = useSession();
  const [, unhide] = useMutation(UnhidePostDocument);
  return (
    <>
      {onHide && <Item icon="hide" label={say("hide")} onClick={doing(onHide, say("hidden-now"), () => unhide({ postId: targetId }))} />}
      {onLess && <Item icon="less" label={say("less")} onClick={doing(onLess, say("less-now"))} />}
      {onDetach && <Item icon="unlink" label={say("detach")} onClick={doing(onDetach, say("detached-now"))} />}
      {onEdit && <Item icon="pen" label={say("edit")} onClick={(element) => { sheetOf(element)?.close(); onEdit(); }} />}
      {savable && <Collections targetId={targetId} doing={doing} />}
      {user && user.handle !== person?.handle && <Limits user={user} doing={doing} onReport={onReport} />}
      {onDelete && <Item icon="trash" label={say("delete")} isDangerous onClick={doing(onDelete, say("deleted"))} />}
    </>
  );
}

function Limits({ user: { id: userId, handle }, doing, onReport }: { user: { id: string; handle: string }; doing: Doing; onReport: () => void }) {
  const [, mute] = useMutation(MuteDocument);
  const [, unmute] = useMutation(UnmuteDocument);
  const [, block] = useMutation(BlockDocument);
  const [, unblock] = useMutation(UnblockDocument);
  return (
    <fieldset>
      <legend><bdi>@{handle}</bdi></legend>
      <Item icon="mute" label={say("mute-user", { handle })} onClick={doing(() => mute({ userId }), say("muted-now", { handle }), () => unmute({ userId }))} />
      <Item icon="block" label={say("block-user", { handle })} isDangerous onClick={doing(() => block({ userId }), say("blocked-now", { handle }), () => unblock({ userId }))} />
      <Item icon="flag" label={say("report")} isDangerous leads onClick={onReport} />
    </fieldset>
  );
}

function Reasons({ targetId, doing }: { targetId: string; doing: Doing }) {
  const [, report] = useMutation(ReportDocument);
  const [note, setNote] = useState("");
  return (
    <>
      <label className="note-field">
        <span className="hidden">{say("report-note")}</span>
        <textarea placeholder={say("report-note")} rows={2} maxLength={1000} value={note} onChange={(event) => setNote(event.target.value)} />
      </label>
      {REASONS.map((reason) => <Item key={reason} icon="flag" label={say(`report-${reason}`)} onClick={doing(() => report({ targetId, reason, note: note.trim() || null }), say("reported"))} />)}
    </>
  );
}

function Collections({ targetId, doing }: { targetId: string; doing: Doing }) {
  const [{ data }] = useQuery({ query: CollectionsDocument, variables: { first: 50 } });
  const [, save] = useMutation(SaveDocument);
  const collections = data?.viewer?.collections?.edges ?? [];
  if (!collections.length) return null;
  return (
    <fieldset>
      <legend>{say("save-in")}</legend>
      {collections.map(({ node: { id, name } }) => <Item key={id} icon="folder" label={name} onClick={doing(() => save({ targetId, collectionId: id }), say("saved-in", { name }))} />)}
    </fieldset>
  );
}
