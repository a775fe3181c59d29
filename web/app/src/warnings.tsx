import { LabelsDocument, type SeenFragment } from "@plaudit/client";
import { type ReactNode, useState } from "react";
import { useQuery } from "urql";
import { say } from "./language.tsx";

/** Content behind its warnings, until the person uncovers it: labels of which the API warns, and what the author warns of. */
export function Warned({ of: { labels, contentWarning }, children }: { of: { labels: readonly SeenFragment[]; contentWarning?: string | null }; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const warned = labels.filter(({ visibility }) => visibility !== "SHOW");
  const others = labels.filter(({ visibility }) => visibility === "SHOW");
  const badges = (some: readonly SeenFragment[]) => some.map(({ name, title }) => <span key={name} className="badge">{title}</span>);
  if (!warned.length && !contentWarning) return <>{others.length > 0 && <p className="inline">{badges(others)}</p>}{children}</>;
  return (
    <>
      <div className="warning">
        <p className="inline">{badges(labels)} {contentWarning && <span dir="auto">{contentWarning}</span>}</p>
        <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>{say(isOpen ? "cover" : "uncover")}</button>
      </div>
      {isOpen && children}
    </>
  );
}

/** What the author warns of in a new post. */
export interface Warnings {
  labels: string[];
  contentWarning: string;
}

export const NO_WARNINGS: Warnings = { labels: [], contentWarning: "" };

/** The fields for the warnings of a new post. The labels are read when they are opened. */
export function WarningFields({ value, onChange }: { value: Warnings; onChange: (value: Warnings) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{say("warnings")}</summary>
      {isOpen && <LabelBoxes chosen={value.labels} onChange={(labels) => onChange({ ...value, labels })} />}
      <label>{say("content-warning")} <input dir="auto" maxLength={200} value={value.contentWarning} onChange={(event) => onChange({ ...value, contentWarning: event.target.value })} /></label>
    </details>
  );
}

function LabelBoxes({ chosen, onChange }: { chosen: string[]; onChange: (names: string[]) => void }) {
  const [{ data }] = useQuery({ query: LabelsDocument, variables: {} });
  const labels = data?.labels.filter(({ setByAuthors }) => setByAuthors) ?? [];
  if (!labels.length) return null;
  return (
    <fieldset className="inline">
      <legend>{say("labels")}</legend>
      {labels.map(({ name, title }) => (
        <label key={name}><input type="checkbox" checked={chosen.includes(name)} onChange={({ target }) => onChange(target.checked ? [...chosen, name] : chosen.filter((one) => one !== name))} /> {title}</label>
      ))}
    </fieldset>
  );
}
