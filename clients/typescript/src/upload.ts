import type { Client } from "@urql/core";
import { CreateUploadDocument } from "./generated/graphql.js";

/** A file that could not be uploaded. The message is for the user. */
export class UploadFailed extends Error {}

export interface UploadOptions {
  /** Is called with the share of the file that is sent, from 0 to 1. Has an effect only where `XMLHttpRequest` exists. */
  onProgress?: (share: number) => void;
  /** Stops the upload, which then rejects with `UploadFailed`. */
  signal?: AbortSignal;
}

type Headers = [string, string][];

/**
 * Uploads a file to the store of files of the deployment. Resolves to the URL of the file, to pass to `publishPost` or
 * `addComment`. Rejects with `UploadFailed` if the file is refused, or if the store does not answer.
 */
export async function uploadFile(client: Client, file: Blob, options: UploadOptions = {}): Promise<string> {
  const { data, error } = await client.mutation(CreateUploadDocument, { mimeType: file.type, byteSize: file.size }).toPromise();
  const { upload, userErrors } = data?.createUpload ?? {};
  if (!upload) throw new UploadFailed(userErrors?.[0]?.message ?? error?.graphQLErrors[0]?.message ?? "There is no connection.");
  const headers = upload.headers.map(({ name, value }): [string, string] => [name, value]);
  const send = options.onProgress && typeof XMLHttpRequest !== "undefined" ? sendAndTell : sendPlain;
  if (options.signal?.aborted || !(await send(upload.url, file, headers, options))) throw new UploadFailed("The file could not be uploaded. Try again.");
  return upload.fileUrl;
}

async function sendPlain(url: string, body: Blob, headers: Headers, { signal }: UploadOptions): Promise<boolean> {
  const answer = await fetch(url, { method: "PUT", body, headers, signal }).catch(() => null);
  return answer?.ok ?? false;
}

/** As `sendPlain`. Only this interface of browsers tells how much is sent. */
function sendAndTell(url: string, body: Blob, headers: Headers, { onProgress, signal }: UploadOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("PUT", url);
    for (const [name, value] of headers) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total ? loaded / total : 0);
    request.onloadend = () => resolve(request.status >= 200 && request.status < 300);
    signal?.addEventListener("abort", () => request.abort());
    request.send(body);
  });
}
