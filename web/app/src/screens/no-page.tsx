import { Heading } from "../heading.tsx";
import { say } from "../language.tsx";
import { Missing } from "../ui.tsx";

/** Takes the place of a screen whose code could not be loaded. */
export function NotLoaded() {
  return <><Heading title={say("page-not-loaded")} /><Missing>{say("load-again")}</Missing></>;
}

export function NoPage() {
  return <><Heading title={say("not-found")} /><Missing>{say("no-page")}</Missing></>;
}
