// Imports every part of the installed client kit, and reads and likes a post with it.
import { createPlauditClient, degradedOf, LikeDocument } from "@plaudit/client";
import { withoutMissing } from "@plaudit/client/degraded";
import { SquareDocument } from "@plaudit/client/operations";
import manifest from "@plaudit/client/persisted-documents.json" with { type: "json" };
import { PlauditProvider, useFeed, useWrite } from "@plaudit/client/react";
import { isGenuine } from "@plaudit/client/webhooks";

const client = createPlauditClient({ url: `${process.env.PLAUDIT_URL}/graphql`, token: () => process.env.PLAUDIT_TOKEN, persisted: "only" });
const square = await client.query(SquareDocument, { first: 1 }).toPromise();
const [{ node }] = square.data.square.edges;
const liked = await client.mutation(LikeDocument, { targetId: node.id }).toPromise();

console.log(
  JSON.stringify({
    functions: [degradedOf, withoutMissing, useFeed, useWrite, isGenuine].map((one) => typeof one),
    provider: PlauditProvider !== undefined,
    operations: Object.keys(manifest).length,
    text: node.text,
    likes: [node.likeCount, liked.data.like.target.likeCount],
    degraded: degradedOf(square),
  }),
);
