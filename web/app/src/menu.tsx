import { BlockDocument, MuteDocument, ReportDocument, type ReportReason } from "@plaudit/client";
import { useRef, useState } from "react";
import { useMutation } from "urql";
import { useSession } from "./session.tsx";

const REASONS: [ReportReason, string][] = [
  ["SPAM", "Spam"],
  ["HARASSMENT", "Harassment"],
  ["HATE", "Hatred"],
  ["VIOLENCE", "Violence"],
  ["MISINFORMATION", "False information"],
  ["OTHER", "Something else"],
];

/** What else a person can do with a post, a comment or a user: mute, block, report, delete. */
export function Menu({ targetId, user, onDelete }: {
  targetId: string;
  user: { id: string; handle: string } | null;
  onDelete?: () => unknown;
}) {
  const { person } = useSession();
  const dialog = useRef<HTMLDialogElement>(null);
  const [, mute] = useMutation(MuteDocument);
  const [, block] = useMutation(BlockDocument);
  const [, report] = useMutation(ReportDocument);
  const [message, setMessage] = useState("");
  if (!person) return null;
  const isOther = user !== null && user.handle !== person.handle;
  const run = async (act: () => Promise<{ error?: unknown; data?: unknown }>, done: string) => {
    const { error, data } = await act();
    const payload = Object.values((data ?? {}) as object).find((value) => typeof value === "object");
    const refusal = (payload as { userErrors?: { message: string }[] } | undefined)?.userErrors?.[0]?.message;
    setMessage(error ? "This did not work. Try again." : (refusal ?? done));
  };
  return (
    <>
      <button type="button" className="menu" aria-label="More" onClick={() => { setMessage(""); dialog.current?.showModal(); }}>⋯</button>
      <dialog ref={dialog} aria-label="Actions">
        {message && <p role="status">{message}</p>}
        {onDelete && <button type="button" onClick={() => { onDelete(); dialog.current?.close(); }}>Delete</button>}
        {isOther && (
          <>
            <button type="button" onClick={() => run(() => mute({ userId: user.id }), `You no longer see @${user.handle}.`)}>Mute @{user.handle}</button>
            <button type="button" onClick={() => run(() => block({ userId: user.id }), `You have blocked @${user.handle}.`)}>Block @{user.handle}</button>
            <fieldset>
              <legend>Report</legend>
              {REASONS.map(([reason, label]) => (
                <button type="button" key={reason} onClick={() => run(() => report({ targetId, reason }), "Thank you. A moderator looks at it.")}>{label}</button>
              ))}
            </fieldset>
          </>
        )}
        <button type="button" onClick={() => dialog.current?.close()}>Close</button>
      </dialog>
    </>
  );
}
