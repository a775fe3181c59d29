// Sends two equal mutations at the same time, and prints the keys that they send and how many answers came.
import { createPlauditClient, LikeDocument } from "./index.mjs";

const keys = [];
const { fetch } = globalThis;
globalThis.fetch = (url, options) => {
  keys.push(JSON.parse(options.body).variables.idempotencyKey);
  return fetch(url, options);
};
const { PLAUDIT_URL, PLAUDIT_TOKEN, VIDEO } = process.env;
const client = createPlauditClient({ url: `${PLAUDIT_URL}/graphql`, token: () => PLAUDIT_TOKEN });
const like = () => client.mutation(LikeDocument, { targetId: VIDEO }).toPromise();
const answers = [];
const both = Promise.all([like(), like()].map((coming) => coming.then(({ data }) => answers.push(data.like.target.id))));
await Promise.race([both, new Promise((resolve) => setTimeout(resolve, 20000))]);
console.log(JSON.stringify({ keys, answers }));
process.exit();
