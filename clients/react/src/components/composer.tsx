import { LIMITS, lengthOf, MeDocument, PublishPostDocument } from "@plaudit/client";
import { type Uploads, useRead, useUploads } from "@plaudit/client/react";
import { type FormEvent, type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { type Problem, useAct, useSession } from "../hooks/index.js";
import { useText } from "../text.js";
import { Failure } from "./parts.js";

interface FormProps {
  /** Sends the text. Resolves to why that failed; null if it was sent. */
  send: (text: string) => Promise<Problem | null>;
  label: string;
  action: string;
  /** A text to change. It stays in the field while it is sent, and is not sent if it is unchanged. */
  text?: string;
  /** The most characters that the text should have. With it, the form says how many are left. */
  most?: number;
  rows?: number;
  autoFocus?: boolean;
  /** Takes the form away: if a person cancels, and after the text was sent, except if the field has another text by then. */
  onClose?: () => void;
  /** Whether there is something to send besides the text. */
  hasMore?: boolean;
  /** Whether sending must wait. */
  isWaiting?: boolean;
  children?: ReactNode;
}

/** A form for a text. A new text is gone from the field while it is sent, and comes back if that fails. */
export function TextForm({ send, label, action, text: earlier, most, rows = 2, autoFocus, onClose, hasMore = false, isWaiting = false, children }: FormProps) {
  const { say } = useText();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(earlier ?? "");
  const [sending, setSending] = useState(0);
  const [problem, setProblem] = useState<Problem | null>(null);
  const submit = async (): Promise<void> => {
    const sent = text.trim();
    if (isWaiting || !(sent || hasMore)) return;
    const kept = earlier === undefined ? "" : text;
    setText(kept);
    const isSame = sent === earlier && !sending && !problem; // the API may have an edit that seems to have failed
    setProblem(null);
    setSending((number) => number + 1);
    const found = isSame ? null : await send(sent);
    setSending((number) => number - 1);
    if (!found) {
      if (field.current?.value === kept) onClose?.();
      return;
    }
    setProblem(found.code === "UNAUTHENTICATED" ? null : found);
    setText((newer) => newer || sent);
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void submit();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void submit();
    if (event.key === "Escape" && !event.nativeEvent.isComposing) onClose?.();
  };
  return (
    <form className="plaudit-form" onSubmit={onSubmit}>
      <textarea
        ref={field}
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
      {children}
      <p className="plaudit-row">
        <button type="submit" className="plaudit-button plaudit-primary" disabled={isWaiting || !(text.trim() || hasMore)}>{action}</button>
        {onClose && <button type="button" className="plaudit-button" onClick={onClose}>{say("cancel")}</button>}
        {most && text && <Left count={most - lengthOf(text)} />}
        <span role="status" className="plaudit-quiet">{sending > 0 && say("sending")}</span>
        <Failure of={problem} />
      </p>
    </form>
  );
}

/** The number of characters that are left. Too many are marked, and the API decides. */
function Left({ count }: { count: number }) {
  const { say } = useText();
  return <span className={count < 0 ? "plaudit-problem" : "plaudit-quiet"}>{say("characters-left", { count })}</span>;
}

/** A button for a person who must sign in first. */
export function SignIn({ label }: { label: string }) {
  const { onSignInNeeded } = useSession();
  if (!onSignInNeeded) return <p className="plaudit-quiet">{label}</p>;
  return <p><button type="button" className="plaudit-button plaudit-primary" onClick={onSignInNeeded}>{label}</button></p>;
}

/** The files of a new post, each with its progress or its description, and a button for more. */
function Files({ uploads, types }: { uploads: Uploads; types: readonly string[] }) {
  const { say } = useText();
  const { items, problem, add, describe, remove } = uploads;
  return (
    <>
      {items.map(({ key, name, kind, preview, progress, attachment, alt }) => (
        <div key={key} className="plaudit-row plaudit-upload" role="group" aria-label={name}>
          {kind === "IMAGE" ? <img src={preview} alt="" /> : <span>{name}</span>}
          {attachment ? (
            <input aria-label={say("description")} placeholder={say("description")} dir="auto" maxLength={500} value={alt} onChange={(event) => describe(key, event.currentTarget.value)} />
          ) : (
            <progress value={progress} max={1} aria-label={say("uploading", { name })} />
          )}
          <button type="button" className="plaudit-button" aria-label={say("remove-file", { name })} onClick={() => remove(key)}>×</button>
        </div>
      ))}
      {problem && <p role="alert" className="plaudit-problem">{problem}</p>}
      {items.length < LIMITS.postFiles && (
        <label className="plaudit-quiet">
          {say("add-files")}{" "}
          <input
            type="file"
            multiple
            accept={types.join(",")}
            onChange={({ currentTarget }) => {
              add([...(currentTarget.files ?? [])]);
              currentTarget.value = "";
            }}
          />
        </label>
      )}
    </>
  );
}

/** A form for a new post, with files if the deployment takes uploads. Topics are taken from its text. */
export function Composer({ onPublished }: { onPublished?: (postId: string) => void }) {
  const { isSignedIn } = useSession();
  const { say } = useText();
  const publish = useAct(PublishPostDocument);
  const [isPublished, setIsPublished] = useState(false);
  const [{ data: me }] = useRead({ query: MeDocument, variables: {}, pause: !isSignedIn });
  const uploads = useUploads(LIMITS.postFiles, say("file-unreadable"));
  const { attachments, isUploading } = uploads;
  const send = async (text: string): Promise<Problem | null> => {
    setIsPublished(false);
    const { data, problem } = await publish({ text, attachments, topics: [], topicsFromText: true });
    const post = data?.publishPost?.post;
    if (post) onPublished?.(post.id);
    setIsPublished(!problem);
    if (!problem) uploads.clear();
    return problem;
  };
  return (
    <section className="plaudit" aria-label={say("new-post")}>
      {isSignedIn === false ? (
        <SignIn label={say("sign-in-first")} />
      ) : (
        <TextForm send={send} label={say("text-of-post")} action={say("publish")} rows={3} hasMore={attachments.length > 0} isWaiting={isUploading}>
          {me?.uploadRules && <Files uploads={uploads} types={me.uploadRules.mimeTypes} />}
        </TextForm>
      )}
      <p role="status" className="plaudit-quiet">{isPublished && say("published")}</p>
    </section>
  );
}
