import { type CommentSort, EntityDocument, type EntityCardFragment } from "@plaudit/client";
import { useComments, useLike, useLikers, useLiveCounts, useRead, useSave } from "@plaudit/client/react";
import { type ReactNode, useState } from "react";
import { Link, useParams } from "react-router";
import { CommentSection } from "../comments.tsx";
import { Cover } from "../cover.tsx";
import { Heading } from "../heading.tsx";
import { Icon } from "../icons.tsx";
import { say } from "../language.tsx";
import { Menu } from "../menu.tsx";
import { ToggleButton } from "../posts.tsx";
import { Reactions } from "../reactions.tsx";
import { Warned } from "../warnings.tsx";
import { Avatar, Count, Marked, Missing, Notice, PageList, Skeleton, UserName } from "../ui.tsx";

/** A thing of another system, such as a video: its likes, its comments, and who likes it. */
export function Entity() {
  const { id = "" } = useParams();
  const [{ data, error, fetching }, read] = useRead({ query: EntityDocument, variables: { id } });
  const [sort, setSort] = useState<CommentSort>("HOT");
  const comments = useComments(id, sort); // at once, not after the entity
  const entity = data?.node?.__typename === "Entity" ? data.node : null;
  useLiveCounts(entity ? [id] : []);
  return (
    <>
      <Heading hidden title={entity ? (entity.title ?? entity.key) : say("entity")} />
      {!entity && error && <Notice action={() => read({ requestPolicy: "network-only" })}>{say("not-loaded")}</Notice>}
      {!entity && !error && (fetching ? <Skeleton /> : <Missing>{say("entity-missing")}</Missing>)}
      {entity && <EntityCard entity={entity}><Reactions target={entity} /></EntityCard>}
      {entity && <Likers id={id} />}
      {entity && <CommentSection comments={comments} count={entity.rootCommentCount} sort={sort} onSort={setSort} canComment={entity.viewerCanComment !== false && !entity.commentsClosed} />}
    </>
  );
}

export function EntityCard({ entity, children }: { entity: EntityCardFragment; children?: ReactNode }) {
  const like = useLike(entity);
  const save = useSave(entity);
  return (
    <article className="card post entity">
      <Cover of={entity} />
      <header>
        <div className="title">
          <span className="badge">{entity.business}</span>
          <Link className="name" to={`/entities/${entity.id}`}><Marked text={entity.title ?? entity.key} /></Link>
        </div>
        <Menu savable targetId={entity.id} user={entity.owner ?? null} />
      </header>
      <Warned of={entity}>{entity.url && <p className="text"><a href={entity.url} rel="noreferrer">{entity.url}</a></p>}</Warned>
      {entity.owner && <p className="inline owner"><Avatar user={entity.owner} /> <UserName user={entity.owner} /></p>}
      {children}
      <footer>
        <ToggleButton toggle={like} label={say("like")} of="likes" icon="heart" />
        <Link className="act" to={`/entities/${entity.id}`} aria-label={say("comments")}><Icon name="comment" /> <Count value={entity.commentCount} of="comments" named /></Link>
        <ToggleButton toggle={save} label={say("favourite")} of="saves" icon="star" />
        <span className="act"><Count value={entity.viewCount} of="views" named /></span>
      </footer>
    </article>
  );
}

function Likers({ id }: { id: string }) {
  const pages = useLikers(id, 5);
  return (
    <details>
      <summary>{say("liked-by")}</summary>
      <PageList pages={pages} label={say("likers")} empty={say("no-likers")}>
        {(user) => <div className="card note"><Avatar user={user} /><span className="text"><UserName user={user} /></span></div>}
      </PageList>
    </details>
  );
}
