import { useEffect, useState } from "react";
import { say } from "./language.tsx";
import { type Store, type StoreState, turn, useStores, watchStores } from "./stores.ts";

const NAMES: Store[] = ["redis", "postgres"];
const EFFECTS = {
  redis: ["redis-down-first", "redis-down-then", "redis-down-live", "redis-down-back"],
  postgres: ["postgres-down-reads", "postgres-down-writes", "postgres-down-sign-in", "postgres-down-back"],
};

/** The failure switch: stops and starts the stores of `plaudit dev`, and says what people see then. */
export function Switch() {
  const stores = useStores();
  useEffect(watchStores, []);
  if (!stores) return null;
  return (
    <section className="switch" aria-label={say("failure-switch")}>
      <h3>{say("failure-switch")}</h3>
      {NAMES.map((name) => stores[name] && <StoreSwitch key={name} name={name} state={stores[name]} />)}
      <details>
        <summary>{say("what-you-see")}</summary>
        {NAMES.map((name) => <Effects key={name} name={name} />)}
      </details>
    </section>
  );
}

function StoreSwitch({ name, state }: { name: Store; state: StoreState }) {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const store = say(`store-${name}`);
  const isStopped = state === "stopped";
  const press = async () => {
    setIsBusy(true);
    setProblem(await turn(name, isStopped ? "start" : "stop").then(() => "", ({ message }: Error) => message));
    setIsBusy(false);
  };
  return (
    <div className={`store ${state}`}>
      <p className="store-line">
        <span className="lamp" aria-hidden="true" />
        <b>{store}</b> <span className="handle">{say(`keeps-${name}`)}</span>
        <span className="store-state">{say(`store-${state}`)}</span>
        <button type="button" disabled={isBusy || state === "starting"} onClick={press}>{isStopped ? say("start-store", { store }) : say("stop-store", { store })}</button>
      </p>
      {problem && <p role="alert" className="problem">{problem}</p>}
      {isStopped && <Effects name={name} />}
    </div>
  );
}

function Effects({ name }: { name: Store }) {
  const title = say("without-store", { store: say(`store-${name}`) });
  return (
    <>
      <h4>{title}</h4>
      <ul aria-label={title}>{EFFECTS[name].map((effect) => <li key={effect}>{say(effect)}</li>)}</ul>
    </>
  );
}
