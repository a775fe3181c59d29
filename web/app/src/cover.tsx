import { useId } from "react";
import { Icon } from "./icons.tsx";

const WIDTH = 640;
const HEIGHT = 320;

/** Returns numbers from 0 to 1, always the same for a text. */
function numbersOf(text: string): () => number {
  let state = 2166136261;
  for (const letter of text) state = Math.imul(state ^ letter.codePointAt(0)!, 16777619);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

function wave(next: () => number, top: number): string {
  const points = Array.from({ length: 4 }, (_, at) => `T${(at + 1) * (WIDTH / 4)} ${Math.round(top + (next() - 0.5) * 60)}`);
  return `M0 ${HEIGHT}V${top}Q40 ${top - 40} 80 ${Math.round(top + (next() - 0.5) * 40)}${points.join("")}V${HEIGHT}Z`;
}

/**
 * The picture of an entity. Plaudit stores no pictures of entities, so the app draws one, which depends on the entity
 * only. A product would show a picture of its own here.
 */
export function Cover({ of: { business, key } }: { of: { business: string; key: string } }) {
  const id = useId();
  const next = numbersOf(`${business}:${key}`);
  const hue = Math.floor(next() * 360);
  const second = (hue + 40 + next() * 60) % 360;
  return (
    <span className="cover" aria-hidden="true">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="xMidYMid slice">
        <linearGradient id={id} x2="0.3" y2="1">
          <stop stopColor={`hsl(${hue} 62% 62%)`} />
          <stop offset="1" stopColor={`hsl(${second} 70% 80%)`} />
        </linearGradient>
        <rect width={WIDTH} height={HEIGHT} fill={`url(#${id})`} />
        <circle cx={120 + next() * 400} cy={70 + next() * 50} r={26 + next() * 16} fill="#fff8e4" opacity="0.9" />
        {[0.3, 0.5, 0.7, 0.9].map((depth) => <path key={depth} d={wave(next, 100 + depth * 190)} fill={`hsl(${second} 45% ${Math.round(78 - depth * 55)}%)`} opacity={0.9} />)}
      </svg>
      {business === "video" && <span className="play"><Icon name="play" filled /></span>}
    </span>
  );
}
