import type { ReactNode } from "react";

const TOKENS = /(#.*)|("(?:[^"\\]|\\.)*"(?:\s*:)?)|(\$\w+)|(@\w+)|(\.\.\.)|(-?\d+(?:\.\d+)?)|([A-Za-z_]\w*)|([{}()[\]:!=,|&])/g;
const KEYWORDS = /^(query|mutation|subscription|fragment|on|true|false|null)$/;

function kindOf(match: RegExpExecArray): string | null {
  const [, comment, text, variable, directive, , number, name] = match;
  if (comment) return "quiet";
  if (text) return text.endsWith(":") ? "name" : "text";
  if (variable) return "variable";
  if (directive) return "keyword";
  if (number) return "number";
  if (!name) return null;
  if (KEYWORDS.test(name)) return "keyword";
  return /^[A-Z]/.test(name) ? "type" : null;
}

/** GraphQL or JSON in colours. */
export function Highlighted({ text }: { text: string }) {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    const kind = kindOf(match as RegExpExecArray);
    if (!kind) continue;
    parts.push(text.slice(end, match.index), <span key={match.index} className={`token-${kind}`}>{match[0]}</span>);
    end = match.index + match[0].length;
  }
  return <code dir="ltr">{parts}{text.slice(end)}</code>;
}
