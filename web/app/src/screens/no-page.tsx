import { Heading } from "../heading.tsx";
import { Missing } from "../ui.tsx";

/** Takes the place of a screen whose code could not be loaded. */
export function NotLoaded() {
  return <><Heading title="Not loaded" /><Missing>This page could not be loaded. Load it again.</Missing></>;
}

export function NoPage() {
  return <><Heading title="Not found" /><Missing>There is no page at this address.</Missing></>;
}
