// Uses the hooks without a browser, as React Native does, and prints what each step shows.
import { PlauditProvider, useComments, useFollow, useLike } from "@plaudit/react/hooks";
import { act, create } from "react-test-renderer";

const { PLAUDIT_URL, PLAUDIT_TOKEN } = process.env;
const missing = ["document", "window", "HTMLElement", "customElements"].filter((name) => name in globalThis);
if (missing.length) throw new Error(`this is a browser: ${missing}`);
(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

function useAll() {
  return { like: useLike("video:v1"), follow: useFollow("carol"), comments: useComments("video:v1") };
}

let now: ReturnType<typeof useAll>;

function Screen() {
  now = useAll();
  return null;
}

/** Waits until something is true of what is shown. */
async function until(isTrue: () => boolean) {
  const end = Date.now() + 20_000;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error("this takes too long");
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  }
}

let asked = 0;
const onSignInNeeded = () => {
  asked += 1;
};
const screenOf = (token: string | null) => (
  <PlauditProvider api={`${PLAUDIT_URL}/graphql`} token={token} onSignInNeeded={onSignInNeeded}><Screen /></PlauditProvider>
);

const root = create(null);
await act(() => root.update(screenOf(null)));
await until(() => now.like.count !== undefined);
await act(() => now.like.toggle());
const steps: Record<string, unknown> = { anonymous: [now.like.count, asked] };

await act(() => root.update(screenOf(PLAUDIT_TOKEN!)));
await until(() => now.like.isOn === false && now.follow.isOn === false && now.comments.canComment === true);
steps.read = [now.like.count, now.like.isOn, now.follow.isOn, now.comments.items?.length];
await act(() => now.like.toggle());
await act(() => now.follow.toggle());
steps.refusal = (await act(() => now.comments.add("x".repeat(3000))))?.code;
const added = await act(() => now.comments.add("From a phone"));
await until(() => now.comments.items?.length === 1);
steps.written = [now.like.count, now.like.isOn, now.follow.isOn, added, now.comments.items?.[0]?.text];
await act(() => root.unmount());
console.log(JSON.stringify(steps));
process.exit(0);
