/**
 * Returns a new idempotency key: a UUID of version 4. `crypto.randomUUID` is missing on pages of http addresses other than
 * localhost, and all of `crypto` in React Native.
 */
export function newKey(): string {
  const source: Partial<Crypto> | undefined = globalThis.crypto;
  if (source?.randomUUID) return source.randomUUID();
  const bytes = source?.getRandomValues?.(new Uint8Array(16)) ?? Uint8Array.from({ length: 16 }, () => Math.random() * 256);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40; // version 4
  bytes[8] = (bytes[8]! & 0x3f) | 0x80; // the variant of RFC 9562
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
