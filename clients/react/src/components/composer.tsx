import { PublishPostDocument } from "@plaudit/client";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { type Problem, useAct, useSession } from "../hooks/index.js";
import { useText } from "../text.js";
import { Failure } from "./parts.js";

interface FormProps {
  /** Sends the text. Resolves to why that failed; null if it was sent. */
  send: (text: string) => Promise<Problem | null>;
  label: string;
  action: string;
  rows?: number;
  autoFocus?: boolean;
  onCancel?: () => void;
}

/** A form for a text. The text is gone from the field while it is sent, and comes back if that fails. */
export function TextForm({ send, label, action, rows = 2, autoFocus, onCancel }: FormProps) {
  const { say } = useText();
  const [text, setText] = useState("");
  const [sending, setSending] = useState(0);
  const [problem, setProblem] = useState<Problem | null>(null);
  const submit = async (): Promise<void> => {
    const sent = text.trim();
    if (!sent) return;
    setText("");
    setProblem(null);
    setSending((number) => number + 1);
    const found = await send(sent);
    setSending((number) => number - 1);
    if (!found) return;
    setProblem(found.code === "UNAUTHENTICATED" ? null : found);
    setText((newer) => newer || sent);
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void submit();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void submit();
    if (event.key === "Escape") onCancel?.();
  };
  return (
    <form className="plaudit-form" onSubmit={onSubmit}>
      <textarea
        aria-label={label}
        placeholder={label}
        dir="auto"
        rows={rows}
        value={text}
        // biome-ignore lint/a11y/noAutofocus: a reply begins where its button was pressed
        autoFocus={autoFocus}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <p className="plaudit-row">
        <button type="submit" className="plaudit-button plaudit-primary" disabled={!text.trim()}>{action}</button>
        {onCancel && <button type="button" className="plaudit-button" onClick={onCancel}>{say("cancel")}</button>}
        <span role="status" className="plaudit-quiet">{sending > 0 && say("sending")}</span>
        <Failure of={problem} />
      </p>
    </form>
  );
}

/** A button for a person who must sign in first. */
export function SignIn({ label }: { label: string }) {
  const { onSignInNeeded } = useSession();
  if (!onSignInNeeded) return <p className="plaudit-quiet">{label}</p>;
  return <p><button type="button" className="plaudit-button plaudit-primary" onClick={onSignInNeeded}>{label}</button></p>;
}

/** A form for a new post. Topics are taken from its text. */
export function Composer({ onPublished }: { onPublished?: (postId: string) => void }) {
  const { isSignedIn } = useSession();
  const { say } = useText();
  const publish = useAct(PublishPostDocument);
  const [isPublished, setIsPublished] = useState(false);
  const send = async (text: string): Promise<Problem | null> => {
    setIsPublished(false);
    const { data, problem } = await publish({ text, attachments: [], topics: [], topicsFromText: true });
    const post = data?.publishPost?.post;
    if (post) onPublished?.(post.id);
    setIsPublished(!problem);
    return problem;
  };
  return (
    <section className="plaudit" aria-label={say("new-post")}>
      {isSignedIn === false ? <SignIn label={say("sign-in-first")} /> : <TextForm send={send} label={say("text-of-post")} action={say("publish")} rows={3} />}
      <p role="status" className="plaudit-quiet">{isPublished && say("published")}</p>
    </section>
  );
}
