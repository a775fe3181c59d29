// Likes a video with the client kit, and prints the positions that its requests send.
import { createPlauditClient, LikeDocument, ReactableChangedDocument, SquareDocument } from "./index.mjs";

const sent = [];
const noted = (body) => sent.push(JSON.parse(body).extensions?.position ?? null);
const { fetch } = globalThis;
globalThis.fetch = (url, options) => {
  noted(options.body);
  return fetch(url, options);
};
globalThis.WebSocket = class extends WebSocket {
  send(message) {
    if (JSON.parse(message).type === "subscribe") noted(JSON.stringify(JSON.parse(message).payload));
    super.send(message);
  }
};

const { PLAUDIT_URL, PLAUDIT_TOKEN, VIDEO, PERSISTED } = process.env;
const client = createPlauditClient({ url: `${PLAUDIT_URL}/graphql`, token: () => PLAUDIT_TOKEN, persisted: PERSISTED });
const read = (first) => client.query(SquareDocument, { first }).toPromise();
const watch = async () => {
  client.subscription(ReactableChangedDocument, { ids: [VIDEO] }).subscribe(() => {});
  while (!sent.length) await new Promise((resolve) => setTimeout(resolve, 10));
  return {};
};
const after = async (work) => {
  sent.length = 0;
  const answer = await work();
  if (answer.error) throw answer.error;
  return { sent: [...sent], position: answer.extensions?.position ?? null };
};

const steps = {
  before: await after(() => read(1)),
  like: await after(() => client.mutation(LikeDocument, { targetId: VIDEO }).toPromise()),
  query: await after(() => read(2)),
  subscription: await after(watch),
};
await new Promise((resolve) => setTimeout(resolve, 2100));
steps.later = await after(() => read(3));
console.log(JSON.stringify(steps));
process.exit();
