// Missing data, for any GraphQL client. See docs/build/missing-data.md.

/** An entry of `extensions.degraded`: values that could not be read. */
export interface Degraded {
  field: string;
  effect: "MISSING" | "INCOMPLETE";
  path?: string[];
  count?: number;
  reason: "POSTGRES_DOWN" | "REDIS_DOWN" | "UNAVAILABLE" | "NOT_LOOKED_UP";
  /** Seconds after which it makes sense to ask again; null if the same query never has the value. */
  retryAfter: number | null;
}

/** Returns what could not be read for a result. Empty if nothing is missing. */
export function degradedOf(result: { extensions?: Record<string, unknown> } | null | undefined): Degraded[] {
  return (result?.extensions?.degraded as Degraded[] | undefined) ?? [];
}

/** Returns a copy of `data` without the nulls at `path`. List indexes are not part of the path. */
function without(data: unknown, path: readonly string[]): unknown {
  if (Array.isArray(data)) return data.map((item) => without(item, path));
  if (data === null || typeof data !== "object") return data;
  const [key, ...rest] = path as [string, ...string[]];
  const value = (data as Record<string, unknown>)[key];
  if (rest.length) return { ...data, [key]: without(value, rest) };
  return value === null ? { ...data, [key]: undefined } : data;
}

/** Returns a result without the values that could not be read, so that a cache keeps the last known ones. */
export function withoutMissing<Result extends { data?: unknown; extensions?: Record<string, unknown> }>(
  result: Result,
): Result {
  const missing = degradedOf(result).filter((entry) => entry.effect === "MISSING" && entry.path);
  if (!missing.length || !result.data) return result;
  return { ...result, data: missing.reduce((data, { path }) => without(data, path!), result.data as unknown) };
}
