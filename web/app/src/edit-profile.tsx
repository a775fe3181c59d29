import { MeDocument, UpdateProfileDocument, uploadFile, UploadFailed } from "@plaudit/client";
import { type ChangeEvent, type FormEvent, useRef, useState } from "react";
import { useClient, useMutation, useQuery } from "urql";
import { say } from "./language.tsx";
import { messageOf } from "./outcome.ts";
import type { User } from "./profile-user.tsx";
import { Avatar } from "./ui.tsx";
import "./edit-profile.css";

/** A button that opens the form in which people change their profile. */
export function EditProfile({ user }: { user: User }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const open = () => {
    setIsOpen(true);
    dialog.current?.showModal();
  };
  return (
    <>
      <button type="button" className="primary" onClick={open}>{say("edit-profile")}</button>
      <dialog ref={dialog} className="edit-profile" aria-labelledby="edit-profile" onClose={() => setIsOpen(false)}>
        <h2 id="edit-profile">{say("edit-profile")}</h2>
        {isOpen && <Form user={user} onDone={() => dialog.current?.close()} />}
      </dialog>
    </>
  );
}

function Form({ user, onDone }: { user: User; onDone: () => void }) {
  const [{ fetching }, update] = useMutation(UpdateProfileDocument);
  const [displayName, setDisplayName] = useState(user.displayName);
  const [bio, setBio] = useState(user.bio);
  const [isPrivate, setIsPrivate] = useState(user.isPrivate);
  const [picture, setPicture] = useState(user.avatarUrl ?? null);
  const [problem, setProblem] = useState<string | null>(null);
  const changes = {
    ...(displayName.trim() !== user.displayName && { displayName: displayName.trim() }),
    ...(bio.trim() !== user.bio && { bio: bio.trim() }),
    ...(isPrivate !== user.isPrivate && { isPrivate }),
    ...(picture !== (user.avatarUrl ?? null) && { avatarUrl: picture }),
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const refusal = Object.keys(changes).length ? messageOf(await update(changes)) : null;
    setProblem(refusal);
    if (!refusal) onDone();
  };
  return (
    <form onSubmit={save}>
      <div className="picture-line">
        <Avatar user={{ ...user, avatarUrl: picture }} large />
        <Picture onChange={setPicture} onProblem={setProblem} />
        {picture && <button type="button" onClick={() => setPicture(null)}>{say("remove-picture")}</button>}
      </div>
      <label>{say("display-name")}<input value={displayName} required maxLength={64} dir="auto" onChange={(event) => setDisplayName(event.target.value)} /></label>
      <label>{say("bio")}<textarea value={bio} rows={4} maxLength={500} dir="auto" onChange={(event) => setBio(event.target.value)} /></label>
      <label className="check"><input type="checkbox" checked={isPrivate} onChange={(event) => setIsPrivate(event.target.checked)} /> {say("private-means")}</label>
      <p className="handle">{say("handle-stays", { handle: user.handle })}</p>
      {problem && <p role="alert" className="problem">{problem}</p>}
      <p className="form-end">
        <button type="button" onClick={onDone}>{say("cancel")}</button>
        <button type="submit" className="primary" disabled={fetching || !displayName.trim()}>{say("save")}</button>
      </p>
    </form>
  );
}

/** A field that uploads a picture, where the deployment takes uploads. */
function Picture({ onChange, onProblem }: { onChange: (url: string) => void; onProblem: (message: string | null) => void }) {
  const client = useClient();
  const [{ data }] = useQuery({ query: MeDocument, variables: {} });
  const types = data?.uploadRules?.mimeTypes.filter((type) => type.startsWith("image/")) ?? [];
  if (!types.length) return null;
  const upload = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (!file) return;
    onProblem(null);
    try {
      onChange(await uploadFile(client, file));
    } catch (error) {
      onProblem(error instanceof UploadFailed ? error.message : say("file-unreadable"));
    }
  };
  return <label>{say("new-picture")}<input type="file" accept={types.join(",")} onChange={upload} /></label>;
}
