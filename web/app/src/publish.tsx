import { PublishPostDocument } from "@plaudit/client";
import { type FormEvent, useRef, useState } from "react";
import { useMutation } from "urql";

const TOPIC = /#([\p{L}\p{N}_-]{1,50})/gu;

/** A form for a new post. The key of a post stays until the post is acknowledged, so that a second attempt adds none. */
export function Publish() {
  const [{ fetching }, publish] = useMutation(PublishPostDocument);
  const [text, setText] = useState("");
  const [image, setImage] = useState("");
  const [message, setMessage] = useState("");
  const key = useRef(crypto.randomUUID());
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const topics = [...text.matchAll(TOPIC)].map(([, name]) => name!.toLowerCase());
    const images = image ? [{ url: image }] : [];
    const { data, error } = await publish({ text, images, topics: [...new Set(topics)], idempotencyKey: key.current });
    const refusal = data?.publishPost?.userErrors[0]?.message;
    if (!data?.publishPost) return setMessage(error?.graphQLErrors[0]?.message ?? "There is no connection. Try again.");
    key.current = crypto.randomUUID();
    if (refusal) return setMessage(refusal);
    setText("");
    setImage("");
    setMessage("Published.");
  };
  return (
    <form className="card publish" onSubmit={send} aria-label="New post">
      <label>
        <span className="hidden">Text of the post</span>
        <textarea value={text} onChange={(event) => setText(event.target.value)} rows={3} placeholder="What is new? Use #topics." />
      </label>
      <label>
        Image address
        <input type="url" value={image} onChange={(event) => setImage(event.target.value)} placeholder="https://…" />
      </label>
      <p><button type="submit" className="primary" disabled={fetching || !(text.trim() || image)}>Publish</button> <span role="status">{message}</span></p>
    </form>
  );
}
