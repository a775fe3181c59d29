// Texts with links, mentions and topics, for any GraphQL client. See docs/build/text.md.

interface Place {
  utf16Start: number;
  utf16End: number;
}

/** A part of a text: a link, mention or topic with its facet, or the plain text between two of them. */
export interface TextPart<Facet> {
  text: string;
  facet?: Facet;
}

/** Returns the parts of a text, in order. `facets` is what the API returns for this text. */
export function textParts<Facet extends Place>(text: string, facets: readonly Facet[]): TextPart<Facet>[] {
  const parts: TextPart<Facet>[] = [];
  let at = 0;
  for (const facet of facets) {
    parts.push({ text: text.slice(at, facet.utf16Start) }, { text: text.slice(facet.utf16Start, facet.utf16End), facet });
    at = facet.utf16End;
  }
  return [...parts, { text: text.slice(at) }].filter((part) => part.text);
}
