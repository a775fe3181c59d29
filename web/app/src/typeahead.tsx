import { SuggestHandlesDocument, SuggestTopicsDocument } from "@plaudit/client";
import { type KeyboardEvent, type SyntheticEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { type Client, useClient } from "urql";
import { say } from "./language.tsx";

const PAUSE = 150; // milliseconds without a key until suggestions are asked for
const BEFORE_CARET = /(?:^|[^\p{L}\p{N}_@#/&])([@#][\p{L}\p{M}\p{N}_.·’'-]{0,50})$/u;

/** A suggestion. `text` is what takes the place of the typed text. */
interface Suggestion {
  id: string;
  text: string;
  name?: string;
}

/** The beginning of a mention or topic before the caret: where it starts, and what was typed, such as "#te". */
interface Typed {
  start: number;
  text: string;
}

function typedAt({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Typed | null {
  const text = selectionStart === selectionEnd ? BEFORE_CARET.exec(value.slice(0, selectionStart))?.[1] : undefined;
  return text === undefined ? null : { start: selectionStart - text.length, text };
}

async function suggested(client: Client, typed: string): Promise<Suggestion[]> {
  const prefix = typed.slice(1);
  if (typed[0] === "#") {
    const { data } = await client.query(SuggestTopicsDocument, { prefix }).toPromise();
    return data?.topics?.map(({ id, name }) => ({ id, text: `#${name}` })) ?? [];
  }
  if (!prefix) return [];
  const { data } = await client.query(SuggestHandlesDocument, { prefix }).toPromise();
  return data?.suggestHandles?.map(({ id, handle, displayName }) => ({ id, text: `@${handle}`, name: displayName })) ?? [];
}

/** Returns suggestions for a typed text: those of the newest answer that is about it, or about its beginning. */
function useSuggestions(typed: string): Suggestion[] {
  const client = useClient();
  const [newest, setNewest] = useState<{ typed: string; items: Suggestion[] }>({ typed: "", items: [] });
  useEffect(() => {
    if (!typed) return;
    let isNewest = true;
    const timer = setTimeout(async () => {
      const items = await suggested(client, typed);
      if (isNewest) setNewest({ typed, items });
    }, PAUSE);
    return () => {
      isNewest = false;
      clearTimeout(timer);
    };
  }, [client, typed]);
  return newest.typed && typed.startsWith(newest.typed) ? newest.items : [];
}

/**
 * A field for a text of several lines. It suggests topics after "#" and users after "@". The focus stays in the field:
 * arrows choose a suggestion, Enter and Tab take it, Escape closes the list. While the field has no list, these keys do
 * what they always do.
 */
export function TextField({ value, onChange, label, rows, placeholder = label }: {
  value: string;
  onChange: (value: string) => void;
  label: string;
  rows: number;
  placeholder?: string;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const caret = useRef<number | null>(null); // where the caret must be after a suggestion was taken
  const composes = useRef(false); // an input method is at work: the text is not what the person means yet
  const list = useId();
  const [typed, setTyped] = useState<Typed | null>(null);
  const [closed, setClosed] = useState<number | null>(null); // the start of the text whose list was closed with Escape
  const [chosen, setChosen] = useState({ typed: "", at: 0 });
  const items = useSuggestions(typed && typed.start !== closed ? typed.text : "");
  const isOpen = items.length > 0;
  // What is typed already needs no suggestion: Enter starts a line then.
  const first = items[0]?.text === typed?.text ? -1 : 0;
  const active = chosen.typed === typed?.text && chosen.at < items.length ? chosen.at : first;
  const option = (at: number) => `${list}-${at}`;
  const look = ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) => {
    if (composes.current) return;
    const found = typedAt(currentTarget);
    setTyped(found);
    if (found?.start !== closed) setClosed(null);
  };
  const take = ({ text }: Suggestion) => {
    if (!typed) return;
    const end = typed.start + typed.text.length;
    caret.current = typed.start + text.length + 1;
    setTyped(null);
    onChange(`${value.slice(0, typed.start)}${text} ${value.slice(end).replace(/^ /, "")}`);
  };
  useLayoutEffect(() => {
    if (caret.current === null) return;
    field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });
  useEffect(() => {
    if (isOpen) document.getElementById(`${list}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [isOpen, list, active]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || !typed || event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const item = items[active];
    if (step) setChosen({ typed: typed.text, at: (Math.max(active, step < 0 ? 0 : -1) + step + items.length) % items.length });
    else if ((event.key === "Enter" || event.key === "Tab") && item && !event.shiftKey) take(item);
    else if (event.key === "Escape") setClosed(typed.start);
    else return;
    event.preventDefault();
  };
  return (
    <div className="typeahead">
      <textarea
        ref={field}
        dir="auto"
        rows={rows}
        value={value}
        aria-label={label}
        placeholder={placeholder}
        aria-autocomplete="list"
        {...(isOpen && { role: "combobox", "aria-expanded": true, "aria-controls": list, "aria-activedescendant": active < 0 ? undefined : option(active) })}
        onChange={(event) => {
          onChange(event.target.value);
          look(event);
        }}
        onSelect={look}
        onKeyDown={onKeyDown}
        onBlur={() => setTyped(null)}
        onCompositionStart={() => {
          composes.current = true;
          setTyped(null);
        }}
        onCompositionEnd={(event) => {
          composes.current = false;
          look(event);
        }}
      />
      <span className="hidden" aria-live="polite">{isOpen && say("suggestion-count", { count: items.length })}</span>
      {isOpen && (
        <ul className="suggestions" role="listbox" id={list} aria-label={say("suggestions")}>
          {items.map((item, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys
            <li key={item.id} id={option(at)} role="option" aria-selected={at === active} onMouseDown={(event) => event.preventDefault()} onClick={() => take(item)}>
              {item.name && <span dir="auto">{item.name}</span>} <span className={item.name && "handle"}><bdi>{item.text}</bdi></span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
