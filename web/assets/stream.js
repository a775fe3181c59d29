// Reads a subscription as an event stream (docs/build/realtime.md): passes on each result, and a refusal at once.

/** Returns an observable for GraphiQL. `open(signal)` sends the request; aborting the signal closes the connection. */
export function watch(open) {
  return {
    subscribe(observer) {
      const leaving = new AbortController();
      follow(open, leaving.signal, observer);
      return { unsubscribe: () => leaving.abort() };
    },
  };
}

async function follow(open, signal, observer) {
  try {
    await pass(await open(signal), observer);
    observer.complete();
  } catch (error) {
    if (!signal.aborted) observer.error(error);
  }
}

async function pass(response, observer) {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    observer.next(await response.json());
    return;
  }
  for await (const event of events(response.body)) {
    if (event.startsWith("event: complete")) return;
    if (event.startsWith("event: next")) observer.next(JSON.parse(event.slice(event.indexOf("data:") + 5)));
  }
  observer.next({ errors: [{ message: "The stream was interrupted. Run it again." }] });
}

async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (text + value).split("\n\n");
    text = blocks.pop();
    yield* blocks;
  }
}
