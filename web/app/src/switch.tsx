import { useEffect, useState } from "react";
import { say } from "./language.tsx";
import { type Store, type StoreState, turn, useStores, watchStores } from "./stores.ts";

const NAMES: Store[] = ["redis", "postgres"];
const EFFECTS = { redis: ["first", "then", "live", "back"], postgres: ["reads", "writes", "sign-in", "back"] };

/** The failure switch: stops and starts the stores of `plaudit dev`, and says what people see then. */
export function Switch() {
  const stores = useStores();
  useEffect(watchStores, []);
  if (!stores) return null;
  return (
    <section className="switch" aria-label={say("failure-switch")}>
      <h3>{say("failure-switch")}</h3>
      {NAMES.map((name) => stores[name] && <StoreSwitch key={name} name={name} state={stores[name]} />)}
    </section>
  );
}

function StoreSwitch({ name, state }: { name: Store; state: StoreState }) {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const store = say(`store-${name}`);
  const verb = state === "stopped" ? "start" : "stop";
  const press = async () => {
    setIsBusy(true);
    setProblem(await turn(name, verb).then(() => "", ({ message }: Error) => message));
    setIsBusy(false);
  };
  return (
    <div className={`store ${state}`}>
      <p className="store-line">
        <span className="lamp" aria-hidden="true" />
        <b>{store}</b> <span className="handle">{say(`keeps-${name}`)}</span>
        <span className="store-state">{say(`store-${state}`)}</span>
        <button type="button" disabled={isBusy || state === "starting"} onClick={press}>{say(`${verb}-store`, { store })}</button>
      </p>
      {problem && <p role="alert" className="problem">{problem}</p>}
      <details open={state === "stopped" || undefined}>
        <summary>{say("what-you-see", { store })}</summary>
        <ul>{EFFECTS[name].map((effect) => <li key={effect}>{say(`${name}-down-${effect}`)}</li>)}</ul>
      </details>
    </div>
  );
}
