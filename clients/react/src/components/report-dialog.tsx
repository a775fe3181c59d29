import { ReportDocument, type ReportReason } from "@plaudit/client";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { idOf, type Problem, useAct } from "../hooks/index.js";
import { useText } from "../text.js";
import { Failure } from "./parts.js";

const REASONS: ReportReason[] = [
  "SPAM", "HARASSMENT", "HATE", "VIOLENCE", "SEXUAL", "SELF_HARM", "MISINFORMATION", "IMPERSONATION", "INTELLECTUAL_PROPERTY", "ILLEGAL", "OTHER",
];

/** A dialog in which a person reports a post, comment, user or entity to the moderators. It is open while it is there. */
export function ReportDialog({ target, onClose }: { target: string; onClose: () => void }) {
  const { say } = useText();
  const title = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const report = useAct(ReportDocument);
  const [reason, setReason] = useState<ReportReason>();
  const [note, setNote] = useState("");
  const [isSent, setIsSent] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!reason) return;
    const outcome = await report({ targetId: idOf(target), reason, note: note.trim() || null });
    setProblem(outcome.problem);
    setIsSent(!outcome.problem);
  };
  return (
    <dialog ref={dialog} className="plaudit plaudit-dialog" aria-labelledby={title} onClose={onClose}>
      <form onSubmit={send}>
        <h2 id={title}>{say("report-title")}</h2>
        {isSent ? <p role="status">{say("reported")}</p> : (
          <>
            <fieldset>
              <legend>{say("report-reason")}</legend>
              {REASONS.map((one) => (
                <label key={one}><input type="radio" name={title} required checked={reason === one} onChange={() => setReason(one)} /> {say(`report-${one}`)}</label>
              ))}
            </fieldset>
            <textarea aria-label={say("report-note")} placeholder={say("report-note")} dir="auto" rows={2} maxLength={1000} value={note} onChange={(event) => setNote(event.currentTarget.value)} />
            <Failure of={problem} />
          </>
        )}
        <p className="plaudit-row">
          {!isSent && <button type="submit" className="plaudit-button plaudit-primary" disabled={!reason}>{say("report-send")}</button>}
          <button type="button" className="plaudit-button" onClick={() => dialog.current?.close()}>{say("close")}</button>
        </p>
      </form>
    </dialog>
  );
}
