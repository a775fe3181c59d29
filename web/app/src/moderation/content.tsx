import { ModeratedNodeDocument } from "@plaudit/client";
import { useParams } from "react-router";
import { useQuery } from "urql";
import { say } from "../language.tsx";
import { Notice } from "../ui.tsx";
import { useLines } from "./case.tsx";
import { Decide } from "./decide.tsx";
import { History } from "./history.tsx";
import { Labeling } from "./labeling.tsx";
import { type Decided, Line } from "./log.tsx";
import { isContent, Target, useTitle } from "./parts.tsx";
import { useCan } from "./session.tsx";

/** The restrictions whose appeals are not about whether the content is allowed. */
const ABOUT_OTHER: ReadonlySet<unknown> = new Set(["LABELED", "REPORT_DISMISSED"]);

/** Says whether the newest decision that counts is a match with known illegal content, not an approval. True until the lines are read. */
function isKnownIllegal(lines: readonly Decided[] | undefined): boolean {
  const newest = lines?.find(({ role, action, before, after }) => {
    if (after == null) return false; // without effect
    if (role === "REVIEWER") return JSON.parse(after).match === true;
    return role === "MODERATOR" && (action === "APPROVED" || (action === "APPEAL_GRANTED" && !ABOUT_OTHER.has(JSON.parse(before ?? "{}").restriction)));
  });
  return !lines || newest?.role === "REVIEWER";
}

/** A post, comment or entity with its decisions. An approval or a rejection can be changed here. */
export function ContentPage() {
  const { id = "" } = useParams();
  useTitle(say("content"));
  const [{ data, error, fetching }, read] = useQuery({ query: ModeratedNodeDocument, variables: { id }, requestPolicy: "cache-and-network" });
  const { lines, isUnread } = useLines(id);
  const can = useCan();
  const isKnown = isKnownIllegal(lines);
  const node = data?.node;
  if (!node && error) return <Notice action={() => read({ requestPolicy: "network-only" })}>{error.graphQLErrors[0]?.message ?? say("not-loaded")}</Notice>;
  if (!node) return <p className="empty" role="status">{say(fetching ? "loading" : "content-gone")}</p>;
  return (
    <>
      <h1>{say(`thing-${node.__typename}`)}</h1>
      <div className="card case">
        <Target node={node} isBlurred={isKnown} />
        {isUnread && isContent(node) && can("MODERATOR") && <p className="notice" role="status">{say("log-unread")}</p>}
        {isContent(node) && can("MODERATOR") && <Decide node={node} newest={lines?.[0]?.createdAt} />}
        {can("MODERATOR") && <Labeling node={node} />}
        {isContent(node) && node.editedAt && <History id={node.id} isKnown={isKnown} />}
      </div>
      <h2>{say("decisions")}</h2>
      {lines?.length === 0 && <p className="empty">{say("nothing-decided")}</p>}
      {lines?.map((line) => <Line key={`${line.createdAt} ${line.action}`} line={line} />)}
    </>
  );
}
