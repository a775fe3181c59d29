import { type RefObject, useEffect, useRef, useState } from "react";
import { say } from "./language.tsx";
import "./outage.css";
import { offerSwitch, type Store, turn, useStores } from "./stores.ts";

/** The banner while the failure switch has stopped a store, with a button that starts it. */
export function Outage() {
  const stores = useStores();
  const banner = useRef<HTMLDivElement>(null);
  useEffect(offerSwitch, []);
  useRoom(banner);
  const down = (Object.keys(stores ?? {}) as Store[]).filter((name) => stores?.[name] !== "running");
  return (
    <div ref={banner} className="outage" role="status">
      {down.map((name) => <Down key={name} name={name} isStarting={stores?.[name] === "starting"} />)}
    </div>
  );
}

/** Tells the style how high the banner is, so that it covers no button. */
function useRoom(banner: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty("--outage-height", `${banner.current?.offsetHeight ?? 0}px`));
    if (banner.current) observer.observe(banner.current);
    return () => {
      observer.disconnect();
      style.removeProperty("--outage-height");
    };
  }, [banner]);
}

function Down({ name, isStarting }: { name: Store; isStarting: boolean }) {
  const [isBusy, setIsBusy] = useState(false);
  const start = async () => {
    setIsBusy(true);
    await turn(name, "start").catch(() => {});
    setIsBusy(false);
  };
  return (
    <p>
      <span>{say(isStarting ? "store-starts" : "store-is-stopped", { store: say(`store-${name}`) })}</span>
      {!isStarting && <button type="button" disabled={isBusy} onClick={start}>{say("start-store", { store: say(`store-${name}`) })}</button>}
    </p>
  );
}
