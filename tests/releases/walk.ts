// What a newcomer writes with the installed client: reads a post, likes it, and reads it again.
import { createPlauditClient, LikeDocument } from "@plaudit/client";
import { SquareDocument } from "@plaudit/client/operations";

declare const process: { env: Record<"PLAUDIT_URL" | "PLAUDIT_TOKEN", string> };
declare const console: { log(text: string): void };

const client = createPlauditClient({ url: process.env.PLAUDIT_URL, token: () => process.env.PLAUDIT_TOKEN });
const square = await client.query(SquareDocument, { first: 20 }).toPromise();
const post = square.data?.square?.edges.map((edge) => edge.node).find((one) => one.viewerReaction === null);
if (!post) throw new Error(`there is no post to like: ${square.error}`);
const liked = await client.mutation(LikeDocument, { targetId: post.id }).toPromise();
// @ts-expect-error: a target has no such field
liked.data?.like?.target?.nobody;
console.log(JSON.stringify([liked.data?.like?.target?.viewerReaction, liked.error ?? null]));
