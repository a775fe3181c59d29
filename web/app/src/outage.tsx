import { useEffect, useState } from "react";
import { say } from "./language.tsx";
import "./outage.css";
import { offerSwitch, type Store, turn, useStores } from "./stores.ts";

/** The banner while the failure switch has stopped a store, with a button that starts it. */
export function Outage() {
  const stores = useStores();
  useEffect(offerSwitch, []);
  const down = (Object.keys(stores ?? {}) as Store[]).filter((name) => stores?.[name] !== "running");
  return (
    <div className="outage" role="status">
      {down.map((name) => <Down key={name} name={name} isStarting={stores?.[name] === "starting"} />)}
    </div>
  );
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
