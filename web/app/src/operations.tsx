import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { Highlighted } from "./highlight.tsx";
import { dateOf, languageOfPage, say } from "./language.tsx";
import { clearSent, type Sent, useSent } from "./recorder.ts";
import { Switch } from "./switch.tsx";
import "./panel.css";

const WIDTH = "plaudit.panel-width"; // in the local storage, in pixels
const [LEAST, MOST, USUAL, STEP] = [320, 720, 416, 32]; // the usual one as in dock.css

/** The panel "The GraphQL behind this": each operation of the app with what it costs, and the failure switch. */
export function Operations({ onClose }: { onClose: () => void }) {
  const sent = useSent();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement?.getAttribute("aria-expanded") === "true") heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <aside className="panel" aria-labelledby="panel-title" onKeyDown={({ key }) => key === "Escape" && onClose()}>
      <Edge />
      <header>
        <h2 id="panel-title" ref={heading} tabIndex={-1}>{say("behind-this")}</h2>
        <button type="button" className="act" disabled={!sent.length} onClick={clearSent}>{say("clear")}</button>
        <button type="button" className="act" aria-label={say("close-panel")} onClick={onClose}><span aria-hidden="true">✕</span></button>
      </header>
      <Switch />
      <Totals sent={sent} />
      {!sent.length && <p className="empty">{say("nothing-sent")}</p>}
      <ol className="operations">{sent.map((one) => <li key={one.number}><Row one={one} /></li>)}</ol>
    </aside>
  );
}

/** The edge at which people change the width of the panel, with a pointer or with the arrow keys. */
function Edge() {
  const [width, setWidth] = useState(() => Number(localStorage.getItem(WIDTH)) || USUAL);
  const isRightToLeft = () => getComputedStyle(document.documentElement).direction === "rtl";
  useEffect(() => {
    document.documentElement.style.setProperty("--panel-width", `${width}px`);
    localStorage.setItem(WIDTH, String(width));
  }, [width]);
  const set = (wanted: number) => setWidth(Math.round(Math.min(Math.max(wanted, LEAST), MOST, innerWidth * 0.6)));
  const drag = ({ buttons, clientX }: PointerEvent) => {
    if (buttons) set(isRightToLeft() ? clientX : innerWidth - clientX);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
    if (!step) return;
    event.preventDefault();
    set(width + (isRightToLeft() ? -step : step));
  };
  return (
    <div
      className="edge"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={say("panel-width")}
      aria-valuenow={width}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={drag}
      onKeyDown={press}
    />
  );
}

function Totals({ sent }: { sent: readonly Sent[] }) {
  const sum = (of: (one: Sent) => number | undefined) => sent.reduce((total, one) => total + (of(one) ?? 0), 0);
  const figures: [string, number][] = [
    [say("total-operations"), sent.length],
    [say("total-points"), sum(({ cost }) => cost)],
    [say("total-redis"), sum(({ redis }) => redis)],
    [say("total-sql"), sum(({ sql }) => sql)],
  ];
  return (
    <dl className="totals">
      {figures.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value.toLocaleString(languageOfPage())}</dd></div>)}
    </dl>
  );
}

/** What a row says about where the answer came from; null before there is an answer. */
function stateOf({ kind, source, problem, missing, isWaiting, wasShownFromKit, wasRepeated }: Sent): string | null {
  if (problem) return "failed";
  if (wasRepeated) return "repeated";
  if (missing.length) return "degraded";
  if (kind === "subscription") return isWaiting ? "live" : "ended";
  if (source === "network" && wasShownFromKit) return "kit-first";
  if (!source || isWaiting) return null;
  return source;
}

function Row({ one }: { one: Sent }) {
  const { kind, name, cost, redis, sql, milliseconds, events } = one;
  const state = stateOf(one);
  return (
    <details className={`operation ${state ?? ""}`}>
      <summary>
        <span className={`kind ${kind}`} title={say(`kind-${kind}`)} aria-hidden="true">{kind[0]!.toUpperCase()}</span>
        <span className="operation-name"><span className="hidden">{say(`kind-${kind}`)}</span> {name}</span>
        <bdi className="state">{state ? say(`state-${state}`) : say("state-waiting")}</bdi>
        <span className="figures">
          {cost !== undefined && <bdi>{say("figure-points", { count: cost })}</bdi>}
          {redis !== undefined && <bdi>{say("figure-redis", { count: redis })}</bdi>}
          {sql !== undefined && <bdi>{say("figure-sql", { count: sql })}</bdi>}
          {kind === "subscription" && <bdi>{say("figure-events", { count: events })}</bdi>}
          {milliseconds !== undefined && <bdi>{say("figure-time", { time: milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds) })}</bdi>}
        </span>
      </summary>
      <Details one={one} />
    </details>
  );
}

function Details({ one }: { one: Sent }) {
  const { id, byId, text, variables, bytes, missing, problem, source, at } = one;
  const written = JSON.stringify(variables, null, 2);
  return (
    <div className="details">
      {problem && <p className="problem">{say("failed-with", { problem })}</p>}
      {missing.length > 0 && <><p className="problem">{say("values-missing")}</p><ul>{missing.map((value) => <li key={value}><code>{value}</code></li>)}</ul></>}
      <p className="handle">
        {dateOf(at, { timeStyle: "medium" })}
        {bytes !== undefined && <> · {say("figure-bytes", { count: bytes })}</>}
        {source === "unchanged" && <> · {say("unchanged-means")}</>}
        {source === "browser" && <> · {say("browser-means")}</>}
        {source === "kit" && <> · {say("kit-means")}</>}
      </p>
      {id && <p className="operation-id">{say(byId ? "sent-by-id" : "persisted-id")} <code title={id}>{id.slice(0, 12)}…</code> <Copy text={id} what={say("id")} /></p>}
      {written !== "{}" && <Text title={say("variables")} text={written} />}
      <Text title={say("operation-text")} text={text} />
      <a href={`/graphiql#${new URLSearchParams({ query: text, variables: written })}`} target="_blank" rel="opener">{say("open-in-graphiql")}</a>
    </div>
  );
}

function Text({ title, text }: { title: string; text: string }) {
  return (
    <details className="source" open>
      <summary>{title}</summary>
      <Copy text={text} what={title} />
      <pre tabIndex={0} aria-label={title}><Highlighted text={text} /></pre>
    </details>
  );
}

function Copy({ text, what }: { text: string; what: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), 2_000);
  };
  return <button type="button" className="copy" aria-label={say("copy-what", { what })} onClick={copy}>{say(isCopied ? "copied" : "copy")}</button>;
}
