import { Heading } from "../heading.tsx";
import { Missing } from "../ui.tsx";

export function NoPage() {
  return <><Heading title="Not found" /><Missing>There is no page at this address.</Missing></>;
}
