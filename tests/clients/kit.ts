// Compiles only if the installed client kit has types.
import { createPlauditClient, FollowDocument, type PostCardFragment, SquareDocument } from "@plaudit/client";
import { useFeed, useWrite } from "@plaudit/client/react";

const client = createPlauditClient({ url: "http://localhost:8000/graphql" });

export async function firstText(): Promise<string | undefined> {
  const { data } = await client.query(SquareDocument, { first: 1 }).toPromise();
  // @ts-expect-error: the square has no such field
  data?.square?.nobody;
  // @ts-expect-error: `first` is a number
  client.query(SquareDocument, { first: "1" });
  return data?.square?.edges[0]?.node.text;
}

export function useTexts(): string[] | undefined {
  const { items }: { items: PostCardFragment[] | undefined } = useFeed({ kind: "home" });
  return items?.map(({ text }) => text);
}

export function useFollow(userId: string): () => Promise<unknown> {
  const [, follow] = useWrite(FollowDocument); // its key is optional
  return () => follow({ userId });
}
