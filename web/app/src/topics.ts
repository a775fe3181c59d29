/** Names as the server finds them (domain/topics.py): marks belong to letters, and an apostrophe may be between two letters. */
const TOPIC =
  /(?<![&\/@\uff20#\uff03A-Za-z0-9_])[#\uff03]((?:[\p{L}\p{M}\p{N}_\u05f3-]|[\u200c\u200d\u180e](?=[\p{L}\p{M}])|(?<=[\p{L}\p{M}\p{N}])['\u2019\uff07\u00b7\u0387\u2010\u2011\u2027\u058a\u05f4\u0f0b\u0f0c\u30a0\u30fb\uff65](?=[\p{L}\p{N}]))+)/gu;

/** Returns the different topics that a text names, as they are written. The server decides which spellings are one topic. */
export function topicsOf(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(TOPIC), ([, name]) => name!))];
}
