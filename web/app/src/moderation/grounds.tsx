import { GroundsDocument, type GroundsQuery } from "@plaudit/client";
import { type RefObject, useId } from "react";
import { useQuery } from "urql";
import { say } from "../language.tsx";
import { useKeys } from "./keys.tsx";
import { REASONS } from "./labels.ts";

type Ground = GroundsQuery["grounds"][number];

/** A reason, and the name of the ground; without a ground, the API takes the usual one of the deployment. */
export interface Reasoned {
  reason: string;
  ground: string | null;
}

export const NO_REASON: Reasoned = { reason: "", ground: null };

/** The most templates that have a key. */
const MOST_KEYS = 9;

/** Returns the templates of reasons: those of the chosen ground, or of all grounds; a fixed list if none are configured. */
function templatesOf(grounds: readonly Ground[], chosen: string | null): Reasoned[] {
  if (!grounds.some(({ reasons }) => reasons.length)) return REASONS.map((name) => ({ reason: say(`reason-${name}`), ground: chosen }));
  const offering = grounds.filter(({ name }) => chosen === null || name === chosen);
  return offering.flatMap(({ name, reasons }) => reasons.map((reason) => ({ reason, ground: name }))).slice(0, MOST_KEYS);
}

interface Props {
  value: Reasoned;
  onChange: (value: Reasoned) => void;
  /** What the field for the reason is called. */
  label: string;
  /** What is sent if the moderator writes nothing. */
  placeholder?: string;
  /** Whether the keys 1 to 9 choose a template. */
  hasKeys?: boolean;
  field?: RefObject<HTMLInputElement | null>;
}

/** The ground and the reason of a decision, with templates. */
export function GroundAndReason({ value, onChange, label, placeholder, hasKeys = false, field }: Props) {
  const [{ data }] = useQuery({ query: GroundsDocument, variables: {} });
  const grounds = data?.grounds ?? [];
  const templates = templatesOf(grounds, value.ground);
  const id = useId();
  useKeys(hasKeys ? Object.fromEntries(templates.map((one, index) => [`${index + 1}`, () => onChange(one)])) : {});
  return (
    <>
      <label>{say("ground")} <select value={value.ground ?? ""} onChange={(event) => onChange({ ...value, ground: event.target.value || null })}><option value="">{say("usual-ground")}</option>{grounds.map((one) => <option key={one.name} value={one.name}>{one.title}</option>)}</select></label>
      <label htmlFor={id}>{label}</label>
      <input id={id} ref={field} className="wide" maxLength={500} value={value.reason} placeholder={placeholder} onChange={(event) => onChange({ ...value, reason: event.target.value })} />
      {templates.length > 0 && (
        <div className="inline" role="group" aria-label={say("usual-reasons")}>
          {templates.map((one, index) => <button type="button" className="small" key={`${one.ground} ${one.reason}`} aria-pressed={value.reason === one.reason} onClick={() => onChange(one)}>{hasKeys && index + 1} {one.reason}</button>)}
        </div>
      )}
    </>
  );
}
