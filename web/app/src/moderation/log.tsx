import { ModerationLogDocument } from "@plaudit/client";
import { usePages } from "@plaudit/client/react";
import { useSearchParams } from "react-router";
import { Ago, PageList, UserName } from "../ui.tsx";

export function Log() {
  const [search] = useSearchParams();
  const pages = usePages(ModerationLogDocument, { userId: search.get("user"), first: 50 }, ({ moderationLog }) => {
    return moderationLog && { ...moderationLog, edges: moderationLog.edges.map(({ cursor, node }) => ({ cursor, node: { ...node, id: cursor } })) };
  });
  return (
    <PageList pages={pages} label="Log" empty="Nothing has been decided yet.">
      {(line) => (
        <article className="card">
          <header>
            <span className="badge">{line.action}</span>
            <span className="handle">{line.role}</span>
            {line.actor && <>by <UserName user={line.actor} /></>}
            <Ago time={line.createdAt} />
          </header>
          {line.user && <p>About <UserName user={line.user} /></p>}
          {line.target?.__typename === "Post" && <p className="text">{line.target.postText}</p>}
          {line.target?.__typename === "Comment" && <p className="text">{line.target.commentText}</p>}
          {line.reason && <p><q>{line.reason}</q></p>}
        </article>
      )}
    </PageList>
  );
}
