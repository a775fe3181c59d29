/** The most that a post and a comment may have in a deployment that does not change `PLAUDIT_CONTENT`. */
export const LIMITS = { postCharacters: 5000, postFiles: 9, commentCharacters: 2000 };

/** Returns the number of characters as the API counts them: code points, without white space at the ends. */
export function lengthOf(text: string): number {
  return [...text.replace(/\r\n?/g, "\n").trim()].length;
}
