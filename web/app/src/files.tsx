import { type AttachmentInput, type AttachmentKind, uploadFile, UploadFailed } from "@plaudit/client";
import { type ChangeEvent, useState } from "react";
import { useClient } from "urql";
import { say } from "./language.tsx";

/** A field that uploads files of the disk, and the descriptions of the uploaded files. */
export function Files({ files, onChange, most, rules, onUploading, onProblem }: {
  files: AttachmentInput[];
  onChange: (files: AttachmentInput[]) => void;
  most: number;
  rules: { mimeTypes: readonly string[] };
  onUploading: (uploading: boolean) => void;
  onProblem: (message: string) => void;
}) {
  const client = useClient();
  const [names, setNames] = useState<Record<string, string>>({});
  const add = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const chosen = [...(target.files ?? [])].slice(0, most - files.length);
    target.value = "";
    onUploading(true);
    onProblem("");
    try {
      const added: AttachmentInput[] = [];
      for (const file of chosen) {
        const url = await uploadFile(client, file);
        added.push({ ...(await factsOf(file)), url, mimeType: file.type });
        setNames((known) => ({ ...known, [url]: file.name }));
      }
      onChange([...files, ...added]);
    } catch (error) {
      onProblem(error instanceof UploadFailed ? error.message : say("file-unreadable"));
    } finally {
      onUploading(false);
    }
  };
  const describe = (at: number, alt: string) => onChange(files.map((one, number) => (number === at ? { ...one, alt } : one)));
  return (
    <>
      {files.map(({ url, alt }, at) => (
        <fieldset key={url}>
          <legend>{names[url]}</legend>
          <label>
            {say("description")}
            <input value={alt ?? ""} maxLength={500} onChange={(event) => describe(at, event.target.value)} placeholder={say("file-shows")} />
          </label>
          <button type="button" onClick={() => onChange(files.filter((one) => one.url !== url))}>{say("remove")}</button>
        </fieldset>
      ))}
      {files.length < most && (
        <label>
          {say("add-files")}
          <input type="file" multiple accept={rules.mimeTypes.join(",")} onChange={add} />
        </label>
      )}
    </>
  );
}

/** Returns the kind of a file and, of an image, its size. */
async function factsOf(file: File): Promise<Pick<AttachmentInput, "kind" | "width" | "height">> {
  const kind = file.type.split("/")[0]!.toUpperCase() as AttachmentKind;
  if (kind !== "IMAGE") return { kind };
  const { width, height } = await createImageBitmap(file);
  return { kind, width, height };
}
