import { PublishPostDocument } from "@plaudit/client";
import { useWrite } from "@plaudit/client/react";
import { type FormEvent, useState } from "react";
import { messageOf } from "./outcome.ts";
import { topicsOf } from "./topics.ts";

const MOST_IMAGES = 9; // as post_images in PLAUDIT_CONTENT, by default
const NONE = { url: "", alt: "" };

type Image = typeof NONE;

/** A form for a new post with images, which may quote a post. */
export function Publish({ quoteOf, onPublished }: { quoteOf?: string; onPublished?: () => void }) {
  const [{ fetching }, publish] = useWrite(PublishPostDocument);
  const [text, setText] = useState("");
  const [images, setImages] = useState([NONE]);
  const [message, setMessage] = useState("");
  const chosen = images.filter(({ url }) => url).map(({ url, alt }) => ({ url, alt: alt || null }));
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const problem = messageOf(await publish({ text, images: chosen, topics: topicsOf(text), quoteOf }));
    setMessage(problem ?? "Published.");
    if (problem) return;
    setText("");
    setImages([NONE]);
    onPublished?.();
  };
  return (
    <form className="card publish" onSubmit={send} aria-label={quoteOf ? "New quote" : "New post"}>
      <label>
        <span className="hidden">{quoteOf ? "Text of the quote" : "Text of the post"}</span>
        <textarea value={text} onChange={(event) => setText(event.target.value)} rows={3} placeholder="What is new? Use #topics." />
      </label>
      <ImageFields images={images} onChange={setImages} />
      <p><button type="submit" className="primary" disabled={fetching || !(text.trim() || chosen.length)}>Publish</button> <span role="status">{message}</span></p>
    </form>
  );
}

/** The addresses and descriptions of images. As soon as the last address is filled in, there is a field for one more. */
function ImageFields({ images, onChange }: { images: Image[]; onChange: (images: Image[]) => void }) {
  const change = (at: number, news: Partial<Image>) => {
    const next = images.map((one, number) => (number === at ? { ...one, ...news } : one));
    onChange(next.at(-1)?.url && next.length < MOST_IMAGES ? [...next, NONE] : next);
  };
  return images.map(({ url, alt }, at) => (
    <fieldset key={at}>
      <legend className="hidden">Image {at + 1}</legend>
      <label>
        Image address
        <input type="url" value={url} onChange={(event) => change(at, { url: event.target.value })} placeholder="https://…" />
      </label>
      {url && (
        <label>
          Description
          <input value={alt} maxLength={500} onChange={(event) => change(at, { alt: event.target.value })} placeholder="What the image shows" />
        </label>
      )}
    </fieldset>
  ));
}
