import { type AttachmentFileFragment, type AuditStatus, foundParts, type TextFacetFragment, type TextPart, textParts } from "@plaudit/client";
import type { Pages } from "@plaudit/client/react";
import { createContext, type ReactNode, useContext, useEffect, useRef } from "react";
import { Link } from "react-router";
import { Icon, type IconName } from "./icons.tsx";
import { compact, dateOf, languageOfPage, say } from "./language.tsx";

export interface UserSummary {
  handle: string;
  displayName: string;
  avatarUrl?: string | null;
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** Returns a time as a text in the time zone of the browser. */
export function momentOf(time: string): string {
  return dateOf(time, { dateStyle: "long", timeStyle: "short" });
}

/** Returns the page of a post or entity. */
export function pathOf({ __typename, id }: { __typename: "Post" | "Entity"; id: string }): string {
  return __typename === "Post" ? `/posts/${id}` : `/entities/${id}`;
}

export function Avatar({ user, large }: { user: UserSummary | null | undefined; large?: boolean }) {
  const className = large ? "avatar large" : "avatar";
  if (!user?.avatarUrl) return <span className={className} aria-hidden="true">{user?.displayName.slice(0, 1) ?? "?"}</span>;
  return <img className={className} src={user.avatarUrl} alt="" loading="lazy" />;
}

/** The handle of a user, which keeps its direction in text of any direction. */
export function Handle({ of: { handle } }: { of: { handle: string } }) {
  return <span className="handle"><bdi>@{handle}</bdi></span>;
}

export function UserName({ user }: { user: UserSummary | null | undefined }) {
  if (!user) return <span className="name">{say("unknown-user")}</span>;
  return (
    <Link className="name" to={`/users/${user.handle}`}>
      {user.displayName} <Handle of={user} />
    </Link>
  );
}

/** What moderation has to say about the own post or comment; nothing once it is approved. */
export function Status({ of }: { of: { auditStatus: AuditStatus; awaitsModerator: boolean } }) {
  if (!of.awaitsModerator && of.auditStatus === "APPROVED") return null;
  return <span className="badge">{say(of.awaitsModerator ? "in-review" : `own-status-${of.auditStatus}`)}</span>;
}

/** Says that a page has nothing to show, with a way back. */
export function Missing({ children }: { children: ReactNode }) {
  return (
    <div className="card missing">
      <p>{children}</p>
      <p><Link to="/">{say("to-start")}</Link></p>
    </div>
  );
}

/**
 * A count; a dash if it could not be read. `of` says what is counted: the message `count-…` names it with the number.
 * With `named` the name is shown, else only the number is.
 */
export function Count({ value, of, named }: { value: unknown; of: string; named?: boolean }) {
  const isKnown = typeof value === "number";
  if (named) return <bdi>{say(`count-${of}`, { count: isKnown ? compact(value) : "–" })}</bdi>;
  const label = say(`count-${of}`, { count: isKnown ? value : "unknown" });
  return <span title={isKnown ? undefined : label} aria-label={label}>{isKnown ? shortly(value) : "–"}</span>;
}

function shortly(value: number): string {
  return new Intl.NumberFormat(languageOfPage(), { notation: "compact" }).format(value);
}

export function Ago({ time }: { time: string }) {
  const seconds = (new Date(time).getTime() - Date.now()) / 1000;
  const unit = UNITS.find(([, size]) => -seconds >= size);
  const format = new Intl.RelativeTimeFormat(languageOfPage(), { numeric: "auto", style: "narrow" });
  const text = unit ? format.format(Math.round(seconds / unit[1]), unit[0]) : format.format(0, "second");
  return <time dateTime={time} title={dateOf(time, { dateStyle: "medium", timeStyle: "medium" })}>{text}</time>;
}

/** Has the query whose words are marked in the texts below it. */
export const Searched = createContext("");

/** A text in which the words of the query of `Searched` are marked. */
export function Marked({ text }: { text: string }) {
  const query = useContext(Searched);
  if (!query) return text;
  return foundParts(text, query).map((part, at) => (part.isFound ? <mark key={at}>{part.text}</mark> : part.text));
}

/** A text whose links, mentions and topics are links. */
export function Words({ of: { text, facets } }: { of: { text?: string | null; facets: readonly TextFacetFragment[] } }) {
  return textParts(text ?? "", facets).map((part, at) => <Word key={at} {...part} />);
}

function Word({ text: plain, facet }: TextPart<TextFacetFragment>) {
  const text = <Marked text={plain} />;
  if (facet?.url) return <a href={facet.url} target="_blank" rel="noopener noreferrer nofollow ugc">{text}</a>;
  if (facet?.user) return <Link to={`/users/${facet.user.handle}`}>{text}</Link>;
  return facet?.topic ? <Link to={`/topics/${facet.topic.name}`}>{text}</Link> : text;
}

export function Attachments({ files }: { files: readonly AttachmentFileFragment[] }) {
  if (!files.length) return null;
  return <div className="images">{files.map((file) => <File key={file.url} {...file} />)}</div>;
}

function File({ kind, url, alt, width, height, posterUrl }: AttachmentFileFragment) {
  const size = { width: width ?? undefined, height: height ?? undefined };
  if (kind === "VIDEO") return <video src={url} poster={posterUrl ?? undefined} aria-label={alt ?? say("video")} controls preload="none" {...size} />;
  if (kind === "AUDIO") return <audio src={url} aria-label={alt ?? say("audio")} controls preload="none" />;
  return <img src={url} alt={alt ?? ""} loading="lazy" {...size} />;
}

export function Notice({ children, action }: { children: ReactNode; action?: () => void }) {
  return (
    <p className="notice" role="status">
      {children} {action && <button type="button" onClick={action}>{say("try-again")}</button>}
    </p>
  );
}

/** Takes the place of items that are being read, so that the page does not move when they come. */
export function Skeleton({ count = 3, isRow }: { count?: number; isRow?: boolean }) {
  return (
    <>
      <p className="hidden">{say("loading")}</p>
      {Array.from({ length: count }, (_, at) => (
        <div key={at} className={isRow ? "skeleton row" : "card skeleton"} aria-hidden="true"><i /><i /><i />{!isRow && <><i /><i /></>}</div>
      ))}
    </>
  );
}

/** Says that a list has no items. Its children lead to what fills it. */
export function Nothing({ icon, text, children }: { icon: IconName; text: string; children?: ReactNode }) {
  return (
    <div className="card nothing">
      <Icon name={icon} />
      <p>{text}</p>
      {children && <p className="inline">{children}</p>}
    </div>
  );
}

/** A button that shows new items. They wait behind it, so that the list does not move while somebody reads. It stays in view. */
export function NewItems({ count, of, onShow }: { count: number; of: "posts" | "comments"; onShow: () => void }) {
  return (
    <div className="news" aria-live="polite">
      {count > 0 && <button type="button" className="more" onClick={onShow}><Icon name="up" /> {say(`new-${of}`, { count: count > 99 ? "99+" : count })}</button>}
    </div>
  );
}

function problemOf({ items, isLoading, error, degraded }: Omit<Pages<unknown>, "edges">): string | null {
  if (error) return say(items ? "newest-not-loaded" : "not-loaded");
  if (!degraded.length || (!items && isLoading)) return null;
  return say(items ? "some-unavailable" : "all-unavailable");
}

/** A list that reads its next page when its end comes into view. */
export function PageList<Node extends { id: string }>({
  pages,
  empty,
  label,
  children,
}: {
  pages: Omit<Pages<Node>, "edges">;
  empty: ReactNode; // what to show if there are no items; null shows nothing
  label: string;
  children: (node: Node) => ReactNode;
}) {
  const end = useRef<HTMLDivElement>(null);
  const { items, hasMore, isLoading, loadMore, refresh } = pages;
  const problem = problemOf(pages);
  const more = useRef(loadMore);
  more.current = loadMore;
  useEffect(() => {
    if (!end.current || !hasMore || isLoading) return; // an end that is in view when loading ends is noticed then
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && more.current(), { rootMargin: "600px" });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasMore, items?.length, isLoading]);
  return (
    <section aria-label={label} aria-busy={isLoading}>
      {problem && <Notice action={refresh}>{problem}</Notice>}
      {empty && !items?.length && !isLoading && !problem && (typeof empty === "string" ? <p className="empty">{empty}</p> : empty)}
      <ol className="list">{items?.map((node) => node && <li key={node.id}>{children(node)}</li>)}</ol>
      {!items && isLoading && <Skeleton />}
      <div ref={end}>{hasMore && <button type="button" className="more" onClick={loadMore}>{say("show-more")}</button>}</div>
    </section>
  );
}
