import { TransparencyDocument, type TransparencyQuery } from "@plaudit/client";
import { type FormEvent, useState } from "react";
import { useQuery } from "urql";
import { Notice } from "../ui.tsx";
import { useTitle } from "./parts.tsx";
import { useSession } from "./session.tsx";

type Count = NonNullable<TransparencyQuery["transparency"]>["counts"][number];

const UNITS = { NUMBER: "", SECONDS: "seconds" };

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
  useTitle("Transparency");
  const { isRestricted } = useSession();
  const [period, setPeriod] = useState(lastMonth);
  const [asked, setAsked] = useState<typeof period | null>(null);
  const variables = { from: `${asked?.from}T00:00:00Z`, to: `${asked?.to}T00:00:00Z` };
  const [{ data, error, fetching }, read] = useQuery({ query: TransparencyDocument, variables, pause: !asked, requestPolicy: "network-only" });
  if (isRestricted) return <p className="empty">Your token is restricted to some businesses, so it cannot read these counts.</p>;
  const report = asked && !fetching && !error ? data?.transparency : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(period);
  };
  return (
    <>
      <h1>Transparency</h1>
      <form className="inline filters" onSubmit={submit}>
        <label>From <input type="date" required value={period.from} onChange={(event) => setPeriod({ ...period, from: event.target.value })} /></label>
        <label>Until, without this day <input type="date" required value={period.to} onChange={(event) => setPeriod({ ...period, to: event.target.value })} /></label>
        <button type="submit" className="primary">Count</button>
        {report && <button type="button" onClick={() => download(report.csv, `transparency-${asked!.from}-${asked!.to}.csv`)}>Download CSV</button>}
      </form>
      <p className="handle">Days are UTC. At most 366 days. For a longer period or very many decisions, use <code>plaudit transparency</code>.</p>
      {error && <Notice action={() => read({ requestPolicy: "network-only" })}>{error.graphQLErrors[0]?.message ?? "The counts could not be loaded."}</Notice>}
      {fetching && <p role="status">Counting…</p>}
      {report && [...new Set(report.counts.map(({ part }) => part))].map((part) => <Part key={part} name={part} counts={report.counts.filter((one) => one.part === part)} />)}
    </>
  );
}

function Part({ name, counts }: { name: string; counts: readonly Count[] }) {
  return (
    <table className="counts">
      <caption>{name}</caption>
      <thead><tr><th scope="col">Indicator</th><th scope="col">Category</th><th scope="col">Value</th></tr></thead>
      <tbody>{counts.map((one) => <tr key={`${one.indicator} ${one.category}`}><td>{one.indicator}</td><td>{one.category || "all"}</td><td>{one.value ?? "–"} {UNITS[one.unit]}</td></tr>)}</tbody>
    </table>
  );
}

function download(csv: string, name: string): void {
  const url = URL.createObjectURL(new Blob([csv], { type: "text/csv" }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
