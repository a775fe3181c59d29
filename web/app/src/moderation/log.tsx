import { type DecisionsQuery, ModerationLogDocument, type ModerationLogQuery, UserIdDocument } from "@plaudit/client";
import { usePages } from "@plaudit/client/react";
import { type FormEvent, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { useClient } from "urql";
import { Say, say } from "../language.tsx";
import { Ago, PageList } from "../ui.tsx";
import { excerpt, Person, useTitle, withFilter } from "./parts.tsx";
import { useSession } from "./session.tsx";

export type Decided = NonNullable<DecisionsQuery["moderationLog"]>["edges"][number]["node"];
type LogLine = NonNullable<ModerationLogQuery["moderationLog"]>["edges"][number]["node"];

const FILTERS = ["user", "actor", "target"] as const;

/** The whole log, or the lines about one user or target, or of one moderator. */
export function Log() {
  useTitle(say("log"));
  const { isRestricted } = useSession();
  const [search, setSearch] = useSearchParams();
  if (isRestricted) return <p className="empty">{say("log-restricted")}</p>;
  const [userId, actorId, targetId] = FILTERS.map((name) => search.get(name));
  const choose = (name: string, id: string | null) => setSearch((now) => withFilter(now, name, id));
  return (
    <>
      <h1>{say("log")}</h1>
      <div className="inline filters">
        <Find label={say("find-about")} onFound={(id) => choose("user", id)} />
        <Find label={say("find-by")} onFound={(id) => choose("actor", id)} />
      </div>
      <div className="inline">
        {FILTERS.map((name) => search.get(name) && <button type="button" key={name} onClick={() => choose(name, null)}>{say(`filter-${name}`, { id: search.get(name)! })} <span aria-hidden="true">×</span><span className="hidden">{say("remove-filter")}</span></button>)}
      </div>
      <Lines userId={userId} actorId={actorId} targetId={targetId} onFilter={choose} />
    </>
  );
}

/** Finds a user by the handle. */
export function Find({ label, onFound }: { label: string; onFound: (id: string) => void }) {
  const client = useClient();
  const [handle, setHandle] = useState("");
  const [problem, setProblem] = useState("");
  const find = async (event: FormEvent) => {
    event.preventDefault();
    const { data, error } = await client.query(UserIdDocument, { handle: handle.trim().replace(/^@/, "") });
    setProblem(data?.user ? "" : (error?.graphQLErrors[0]?.message ?? say("no-user")));
    if (!data?.user) return;
    setHandle("");
    onFound(data.user.id);
  };
  return (
    <form role="search" onSubmit={find}>
      <label>{label} <input required placeholder={say("handle-example")} value={handle} onChange={(event) => setHandle(event.target.value)} /></label>
      <button type="submit">{say("find")}</button> <span role="status" className="problem">{problem}</span>
    </form>
  );
}

interface Selection {
  userId?: string | null | undefined;
  actorId?: string | null | undefined;
  targetId?: string | null | undefined;
  onFilter?: (name: string, id: string) => void;
}

export function Lines({ userId = null, actorId = null, targetId = null, onFilter }: Selection) {
  const pages = usePages(ModerationLogDocument, { userId, actorId, targetId, first: 30 }, ({ moderationLog }) => {
    return moderationLog && { ...moderationLog, edges: moderationLog.edges.map(({ cursor, node }) => ({ cursor, node: { ...node, id: cursor } })) };
  });
  return <PageList pages={pages} label={say("log")} empty={say("log-empty")}>{(line) => <Line line={line} onFilter={onFilter} />}</PageList>;
}

export function Line({ line, onFilter }: { line: Decided & Partial<LogLine>; onFilter?: ((name: string, id: string) => void) | undefined }) {
  const { action, role, actor, user, target, reason, after } = line;
  return (
    <article className="line">
      <p className="byline">
        <span className="badge">{say(`action-${action}`)}</span>
        <span><Say id="by" who={actor ? <Person user={actor} /> : say(`role-${role}`)} /></span>
        {user && <span><Say id="about" who={<Person user={user} />} /></span>}
        <Ago time={line.createdAt} />
        {after === null && <span className="badge">{say("without-effect")}</span>}
      </p>
      {target && target.__typename !== "User" && <p>{target.__typename === "Topic" ? excerpt(target) : <Link to={`/content/${target.id}`}>{excerpt(target)}</Link>}</p>}
      {reason && <p className="handle">{say("reason", { reason })}</p>}
      {onFilter && (
        <p className="inline">
          {user && <button type="button" className="plain" onClick={() => onFilter("user", user.id)}>{say("only-about", { handle: user.handle })}</button>}
          {actor && <button type="button" className="plain" onClick={() => onFilter("actor", actor.id)}>{say("only-by", { handle: actor.handle })}</button>}
        </p>
      )}
    </article>
  );
}
