// Marks the words of a search in a text, for any client.

/** A part of a text. `isFound` says that it has a word of the query. */
export interface FoundPart {
  text: string;
  isFound: boolean;
}

const FILTERS = /(?:from|topic|before|after|has):(?:"[^"]*"?|[^\s"]+)/giu;
const WORDS = /([\p{L}\p{M}\p{N}_]+)/u;
// Scripts without spaces between words: a word of the query may stand anywhere.
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function folded(text: string): string {
  return text.normalize("NFKD").replace(/[\u0300-\u036f]+/gu, "").normalize("NFC").toLowerCase();
}

/** Returns the words in a text, without regard to case and accents. */
function wordsOf(text: string): string[] {
  return text.split(WORDS).filter((_, at) => at % 2).map(folded);
}

function partsOf(word: string, wanted: readonly string[]): FoundPart[] {
  const inside = WITHOUT_SPACES.test(word) && wanted.find((one) => WITHOUT_SPACES.test(one) && word.includes(one));
  if (!inside) return [{ text: word, isFound: wanted.some((one) => folded(word).startsWith(one)) }];
  return word.split(inside).flatMap((rest, at) => [...(at ? [{ text: inside, isFound: true }] : []), ...partsOf(rest, wanted)]);
}

/**
 * Returns the parts of a plain text, in order, and which of them have the words of a query of a search. The filters of the
 * query, such as `from:alice`, mark nothing. A word is also marked if it begins with a word of the query.
 */
export function foundParts(text: string, query: string): FoundPart[] {
  const wanted = wordsOf(query.replace(FILTERS, " "));
  const parts = text.split(WORDS).flatMap((part, at) => (at % 2 ? partsOf(part, wanted) : [{ text: part, isFound: false }]));
  return parts.filter((part) => part.text);
}
