import { languageOfPage, say } from "./language.tsx";

const FEW = 500; // characters: when no more are left, their number is shown beside the ring

/** The number of characters that are left of the most that a text may have, with a ring that fills; nothing while there is no text. */
export function Counter({ length, most }: { length: number; most: number }) {
  if (!length) return null;
  const left = most - length;
  const count = new Intl.NumberFormat(languageOfPage()).format(left);
  const label = say("characters-left", { count });
  return (
    <span className={left < 0 ? "counter over" : "counter"} title={label}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="9" />
        <circle cx="12" cy="12" r="9" pathLength={100} strokeDasharray={`${Math.min(100, (length / most) * 100)} 100`} />
      </svg>
      {left < FEW && <span aria-hidden="true">{count}</span>}
      <span className="hidden">{label}</span>
    </span>
  );
}

/** Returns what to say of a text that is too long; null if it is not. */
export function excessOf(length: number, most: number): string | null {
  return length > most ? say("too-long", { count: length - most }) : null;
}
