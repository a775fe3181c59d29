import { type CommentItemFragment, EditCommentDocument, LIMITS, lengthOf } from "@plaudit/client";
import { useWrite } from "@plaudit/client/react";
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Counter, excessOf } from "./counter.tsx";
import { say } from "./language.tsx";
import { messageOf } from "./outcome.ts";
import { TextField } from "./typeahead.tsx";

/** A form for another text of one's own comment, in the place of the text. What is written stays if the API refuses it. */
export function EditComment({ comment, onClose }: { comment: CommentItemFragment; onClose: () => void }) {
  const [{ fetching }, edit] = useWrite(EditCommentDocument);
  const [text, setText] = useState(comment.text ?? "");
  const [refusal, setRefusal] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const why = useId();
  const length = lengthOf(text);
  const excess = excessOf(length, LIMITS.commentCharacters);
  const isEmpty = !length && !comment.attachments.length;
  useEffect(() => {
    const field = form.current?.querySelector("textarea");
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, []);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const isSame = text.trim() === comment.text && !refusal; // the API may have an edit that seems to have failed
    const found = isSame ? null : messageOf(await edit({ commentId: comment.id, text }));
    setRefusal(found);
    if (!found && form.current?.querySelector("textarea")?.value === text) onClose(); // otherwise the person writes another text
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The first Escape closes the suggestions of the field, or what an input method shows.
    if (event.key === "Escape" && !event.defaultPrevented && !event.nativeEvent.isComposing) onClose();
  };
  return (
    <form ref={form} className="comment-form" onSubmit={save} onKeyDown={onKeyDown}>
      <TextField value={text} onChange={setText} label={say("text-of-comment")} rows={2} />
      {refusal && <p role="alert" className="problem">{refusal}</p>}
      <div className="composer-bar">
        <button type="button" onClick={onClose}>{say("cancel")}</button>
        <Counter length={length} most={LIMITS.commentCharacters} />
        <button type="submit" className="primary" disabled={fetching || isEmpty || excess !== null} aria-describedby={why} title={excess ?? undefined}>{say("save")}</button>
        <span id={why} className="hidden">{excess}</span>
      </div>
    </form>
  );
}
