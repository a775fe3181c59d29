import { FluentBundle, FluentNumber, FluentResource, type FluentVariable } from "@fluent/bundle";
import { Fragment, type ReactNode, useEffect, useState } from "react";

/** The languages of the pages, by the names of their folders in `web/app/languages`. */
const LANGUAGES = { en: "English", "zh-Hans": "简体中文" };

type Language = keyof typeof LANGUAGES;
/** The message files of a page, by path. Each is loaded by a function. */
type Files = Record<string, () => Promise<unknown>>;
type Values = Record<string, FluentVariable>;

const ALL = Object.keys(LANGUAGES) as Language[];
const KEPT = "plaudit.language"; // in the local storage: what the person has chosen

const page: { files: Files; render: () => void } = { files: {}, render: () => {} };
let language: Language = "en";
let bundle = new FluentBundle(language);

/** Returns the language and script of a tag, such as `zh-Hans` for `zh-CN`; null if it is not a tag. */
function scriptOf(tag: string): string | null {
  try {
    const { language: name, script } = new Intl.Locale(tag).maximize();
    return `${name}-${script}`;
  } catch {
    return null;
  }
}

/** Returns the first language of the page that a reader of these tags reads. */
function best(tags: readonly string[]): Language | undefined {
  const scripts = tags.map(scriptOf);
  return scripts.map((script) => ALL.find((one) => scriptOf(one) === script)).find((one) => one !== undefined);
}

let requests = 0;

/** Shows the page in a language, unless another one is wanted meanwhile. Returns whether it does; throws if the files of the newest request cannot be loaded. */
async function load(wanted: Language): Promise<boolean> {
  const request = ++requests;
  const reading = Object.entries(page.files).filter(([path]) => path.includes(`/${wanted}/`)).map(([, read]) => read());
  const texts = await Promise.all(reading).catch((error: unknown) => {
    if (request === requests) throw error;
  });
  if (!texts || request !== requests) return false;
  const loaded = new FluentBundle(wanted, { useIsolating: false });
  for (const text of texts) loaded.addResource(new FluentResource(text as string));
  [language, bundle] = [wanted, loaded];
  document.documentElement.lang = wanted;
  page.render();
  return true;
}

/**
 * Draws a page with the messages of `files`. `render` is called when they are loaded, and again when the language
 * changes: it must create all elements anew. The language is the one that the person has chosen in this browser, else
 * the first of the browser's languages that exists, else English. If its messages cannot be loaded, the page is in
 * English; without these, it shows the ids of the messages.
 */
export async function startPage(files: Files, render: () => void): Promise<void> {
  Object.assign(page, { files, render });
  await load(best([localStorage.getItem(KEPT) ?? "", ...navigator.languages]) ?? "en").catch(() => load("en")).catch(render);
}

/** Returns the language of the page, such as `zh-Hans`. */
export function languageOfPage(): string {
  return language;
}

/** Returns the name of the language of the page, in that language. */
export function nameOfLanguage(): string {
  return LANGUAGES[language];
}

/** Shows the page in the language of a profile, unless the person has chosen one in this browser. */
export function useProfileLanguage(tag: string | null | undefined): void {
  useEffect(() => {
    const wanted = tag && localStorage.getItem(KEPT) === null ? best([tag]) : undefined;
    if (wanted && wanted !== language) load(wanted).catch(() => {}); // the page keeps its language
  }, [tag]);
}

/** A menu that changes the language of the page. `onChosen` gets the tag of the chosen language. */
export function LanguageMenu({ onChosen }: { onChosen?: (tag: string) => void }) {
  const [hasFailed, setHasFailed] = useState(false);
  const choose = async (wanted: Language) => {
    setHasFailed(false);
    const isShown = await load(wanted).catch(() => setHasFailed(true));
    if (!isShown) return;
    localStorage.setItem(KEPT, wanted);
    onChosen?.(wanted);
  };
  return (
    <>
      <select className="language" aria-label={say("language")} value={language} onChange={(event) => choose(event.target.value as Language)}>
        {ALL.map((one) => <option key={one} value={one} lang={one}>{LANGUAGES[one]}</option>)}
      </select>
      {hasFailed && <span role="alert" className="problem">{say("language-not-loaded")}</span>}
    </>
  );
}

/** Returns a message in the language of the page. */
export function say(id: string, values: Values = {}): string {
  const pattern = bundle.getMessage(id)?.value;
  const problems: Error[] = [];
  const text = pattern ? bundle.formatPattern(pattern, values, problems) : id;
  if (!pattern || problems.length) console.error(`message ${id}`, ...problems);
  return text;
}

/** A message whose values may be elements, such as links. */
export function Say({ id, ...values }: { id: string; [name: string]: ReactNode | FluentVariable }) {
  const marks = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === "object" && !(value instanceof FluentNumber) ? `\uE000${name}\uE000` : value]));
  const parts = say(id, marks as Values).split("\uE000"); // odd parts are names of elements
  return parts.map((part, at) => <Fragment key={at}>{at % 2 ? (values[part] as ReactNode) : part}</Fragment>);
}

/** Returns a number for a message that is shown in short, such as 1.2K. */
export function compact(value: number): FluentNumber {
  return new FluentNumber(value, { notation: "compact" });
}

/** Returns a date or a moment as a text in the time zone of the browser. */
export function dateOf(time: string | number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(language, options).format(new Date(time));
}
