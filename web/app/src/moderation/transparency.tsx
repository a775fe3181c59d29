import { TransparencyDocument, type TransparencyQuery } from "@plaudit/client";
import { type FormEvent, useState } from "react";
import { useQuery } from "urql";
import { Say, say } from "../language.tsx";
import { Notice } from "../ui.tsx";
import { useTitle } from "./parts.tsx";
import { useSession } from "./session.tsx";

type Count = NonNullable<TransparencyQuery["transparency"]>["counts"][number];

/** Returns the message with the name of a part or an indicator, which the API returns in English. */
function counted(name: string): string {
  return say(`counted-${name.replaceAll(" ", "-")}`);
}

/** Returns a day as a date input has it. */
function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** Returns the last whole month, without the day after it. */
function lastMonth(): { from: string; to: string } {
  const now = new Date();
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { from: dayOf(new Date(Date.UTC(year, month - 1, 1))), to: dayOf(new Date(Date.UTC(year, month, 1))) };
}

/** The counts for a transparency report, which `plaudit transparency` prints too. */
export function TransparencyPage() {
  useTitle(say("transparency"));
  const { isRestricted } = useSession();
  const [period, setPeriod] = useState(lastMonth);
  const [asked, setAsked] = useState<typeof period | null>(null);
  const variables = { from: `${asked?.from}T00:00:00Z`, to: `${asked?.to}T00:00:00Z` };
  const [{ data, error, fetching }, read] = useQuery({ query: TransparencyDocument, variables, pause: !asked, requestPolicy: "network-only" });
  if (isRestricted) return <p className="empty">{say("transparency-restricted")}</p>;
  const report = asked && !fetching && !error ? data?.transparency : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(period);
    if (asked?.from === period.from && asked.to === period.to) read({ requestPolicy: "network-only" });
  };
  return (
    <>
      <h1>{say("transparency")}</h1>
      <form className="inline filters" onSubmit={submit}>
        <label>{say("from")} <input type="date" required value={period.from} onChange={(event) => setPeriod({ ...period, from: event.target.value })} /></label>
        <label>{say("until-day")} <input type="date" required value={period.to} onChange={(event) => setPeriod({ ...period, to: event.target.value })} /></label>
        <button type="submit" className="primary">{say("count")}</button>
        {report && <button type="button" onClick={() => download(report.csv, `transparency-${asked!.from}-${asked!.to}.csv`)}>{say("download-csv")}</button>}
      </form>
      <p className="handle"><Say id="days-are-utc" command={<code>plaudit transparency</code>} /></p>
      {error && <Notice action={() => read({ requestPolicy: "network-only" })}>{error.graphQLErrors[0]?.message ?? say("counts-not-loaded")}</Notice>}
      {fetching && <p role="status">{say("counting")}</p>}
      {report && [...new Set(report.counts.map(({ part }) => part))].map((part) => <Part key={part} name={part} counts={report.counts.filter((one) => one.part === part)} />)}
    </>
  );
}

function Part({ name, counts }: { name: string; counts: readonly Count[] }) {
  return (
    <table className="counts">
      <caption>{counted(name)}</caption>
      <thead><tr><th scope="col">{say("indicator")}</th><th scope="col">{say("category")}</th><th scope="col">{say("value")}</th></tr></thead>
      <tbody>{counts.map((one) => <tr key={`${one.indicator} ${one.category}`}><td>{counted(one.indicator)}</td><td>{one.category || say("every-category")}</td><td>{say(`unit-${one.unit}`, { value: one.value ?? "–" })}</td></tr>)}</tbody>
    </table>
  );
}

function download(csv: string, name: string): void {
  const url = URL.createObjectURL(new Blob([csv], { type: "text/csv" }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
