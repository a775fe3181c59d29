import type { Client } from "@urql/core";
import { CreateUploadDocument } from "./generated/graphql.js";

/** A file that could not be uploaded. The message is for the user. */
export class UploadFailed extends Error {}

/**
 * Uploads a file to the store of files of the deployment. Resolves to the URL of the file, to pass to `publishPost` or
 * `addComment`. Rejects with `UploadFailed` if the file is refused, or if the store does not answer.
 */
export async function uploadFile(client: Client, file: Blob): Promise<string> {
  const { data, error } = await client.mutation(CreateUploadDocument, { mimeType: file.type, byteSize: file.size }).toPromise();
  const { upload, userErrors } = data?.createUpload ?? {};
  if (!upload) throw new UploadFailed(userErrors?.[0]?.message ?? error?.graphQLErrors[0]?.message ?? "There is no connection.");
  const headers = upload.headers.map(({ name, value }): [string, string] => [name, value]);
  const answer = await fetch(upload.url, { method: "PUT", body: file, headers }).catch(() => null);
  if (!answer?.ok) throw new UploadFailed("The file could not be uploaded. Try again.");
  return upload.fileUrl;
}
