/** Finds topics as the server does (domain/text_tokens.py). Addresses have no topics, so they are matched, too. */
const UNSPACED =
  String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\p{sc=Hangul}\p{sc=Yi}\p{sc=Nushu}\p{sc=Tangut}` +
  String.raw`\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}\p{sc=Tai_Le}\p{sc=New_Tai_Lue}\p{sc=Tai_Tham}` +
  String.raw`\p{sc=Tai_Viet}\p{sc=Ahom}\p{sc=Balinese}\p{sc=Javanese}\u3000-\u33ff\uff66-\uff9f`;
const WORD = String.raw`(?![${UNSPACED}\ufe0f\u20e3])[\p{L}\p{M}\p{N}_]`;
const HTTP = String.raw`[Hh][Tt][Tt][Pp][Ss]?:\/\/`;
const REST = String.raw`(?:(?:(?!${HTTP})(?:[!#-;=?-~]|${WORD}))+|(?:(?!${HTTP})[!#-;=?-~\p{L}\p{M}\p{N}\p{S}\u200d])+)`;
const DOMAIN = String.raw`(?<![^\p{Z}\n\t(\[<",;!])(?:[\p{L}\p{M}\p{N}-]{1,63}\.)+\p{L}{2,63}(?::[0-9]{1,5})?[\/?#]`;
const ADDRESS = String.raw`(?:${HTTP}|(?<![A-Za-z0-9\/.@-])[Ww]{3}\.|:\/\/|${DOMAIN})${REST}`;
const SERVER = String.raw`[A-Za-z0-9-]{1,63}\.[\p{L}\p{N}]`;
/** A letter, mark or digit; a joiner before a letter; an apostrophe, hyphen or dot between two letters. */
const PART =
  String.raw`[\p{L}\p{M}\p{N}_\u05f3-]|[\u200c\u200d\u180e](?=[\p{L}\p{M}])|(?<=[\p{L}\p{M}\p{N}])` +
  String.raw`['\u2019\uff07\u00b7\u0387\u2010\u2011\u2027\u058a\u05f4\u0f0b\u0f0c\u30a0\u30fb\uff65](?=[\p{L}\p{N}])`;
const TOPIC = String.raw`(?<![&\/@\uff20#\uff03]|${WORD})[#\uff03](?<name>(?:${PART})+)(?!:${SERVER})`;
const TOKENS = new RegExp(`${ADDRESS}|${TOPIC}`, "gu");

/** Returns the different topics that a text names, as they are written. The server decides which spellings are one topic. */
export function topicsOf(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(TOKENS), ({ groups }) => groups!.name ?? "").filter(Boolean))];
}
