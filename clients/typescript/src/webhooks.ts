// Verifies webhooks of Plaudit. Copy this file into your receiver. Runs in Node 20, Deno, Bun, and workers.

const TOLERANCE = 300; // the most seconds between the time of a request and now

function bytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/**
 * Returns whether a request is signed with the secret ("whsec_…") and recent. `headers` must have lower-case names.
 * `body` is the text as it arrived, before any parsing.
 */
export async function isGenuine(
  secret: string,
  headers: Record<string, string | undefined>,
  body: string,
  now: number = Date.now() / 1000,
): Promise<boolean> {
  const id = headers["webhook-id"] ?? "";
  const timestamp = headers["webhook-timestamp"] ?? "";
  if (!/^[0-9]{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > TOLERANCE) return false;
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes(secret.replace(/^whsec_/, "")), hmac, false, ["verify"]);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const one of (headers["webhook-signature"] ?? "").split(" ")) {
    const [version, signature = ""] = one.split(",");
    if (version !== "v1" || !/^[A-Za-z0-9+/]{43}=$/.test(signature)) continue;
    if (await crypto.subtle.verify("HMAC", key, bytes(signature), signed)) return true;
  }
  return false;
}
