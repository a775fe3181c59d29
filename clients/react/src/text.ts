import { FluentBundle, FluentResource, type FluentVariable } from "@fluent/bundle";
import { useMemo } from "react";
import { type Problem, useSession } from "./hooks/index.js";
import { en } from "./languages/en.js";
import { zhHans } from "./languages/zh-Hans.js";

const LANGUAGES: Record<string, string> = { en, "zh-Hans": zhHans };

export interface Text {
  /** The language of the messages, such as `zh-Hans`. */
  language: string;
  /** Returns a message. */
  say: (id: string, values?: Record<string, FluentVariable>) => string;
  /** Returns what to tell a person of a problem: the message of the language for its code, else that of the API. */
  sayProblem: (problem: Problem) => string;
}

/** Returns the language and script of a tag, such as `zh-Hans` for `zh-CN`; null if it is not a tag. */
function scriptOf(tag: string): string | null {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return null;
  }
}

/** Returns the first of the languages that a reader of these tags reads; English if there is none. */
function best(tags: readonly string[]): string {
  const names = Object.keys(LANGUAGES);
  return tags.map((tag) => names.find((name) => scriptOf(name) === scriptOf(tag))).find(Boolean) ?? "en";
}

function preferred(): readonly string[] {
  return typeof navigator === "undefined" ? [] : (navigator.languages ?? []);
}

function textIn(language: string, messages: string | undefined): Text {
  const bundle = new FluentBundle([language, "en"], { useIsolating: false });
  const sources = [LANGUAGES[best([language])] ?? en, messages ?? ""];
  for (const source of sources) bundle.addResource(new FluentResource(source), { allowOverrides: true });
  const say: Text["say"] = (id, values) => {
    const pattern = bundle.getMessage(id)?.value;
    return pattern ? bundle.formatPattern(pattern, values, []) : id;
  };
  const sayProblem: Text["sayProblem"] = ({ code, message }) =>
    bundle.hasMessage(`problem-${code}`) ? say(`problem-${code}`) : message;
  return { language, say, sayProblem };
}

/** Returns the messages in the language of the provider. */
export function useText(): Text {
  const { language, messages } = useSession();
  return useMemo(() => textIn(language ?? best(preferred()), messages), [language, messages]);
}
