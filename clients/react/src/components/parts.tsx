import { type AttachmentFileFragment, type AuditStatus, type SeenFragment, type TextFacetFragment, textParts } from "@plaudit/client";
import { type ReactNode, useState } from "react";
import { type Pages, type Problem, useSession } from "../hooks/index.js";
import { useText } from "../text.js";

interface Author {
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

/** A count; a dash if it is not known. `of` says what is counted. */
export function Count({ value, of }: { value: unknown; of: string }) {
  const { language, say } = useText();
  const isKnown = typeof value === "number";
  const label = say(`count-${of}`, { count: isKnown ? value : "unknown" });
  const short = isKnown ? new Intl.NumberFormat(language, { notation: "compact" }).format(value) : "–";
  return (
    <>
      <span aria-hidden="true" title={label}>{short}</span>
      <span className="plaudit-hidden">{label}</span>
    </>
  );
}

export function Ago({ time }: { time: string }) {
  const { language } = useText();
  const seconds = (new Date(time).getTime() - Date.now()) / 1000;
  const unit = UNITS.find(([, size]) => -seconds >= size);
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "narrow" });
  const text = unit ? format.format(Math.round(seconds / unit[1]), unit[0]) : format.format(0, "second");
  const full = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" }).format(new Date(time));
  return <time dateTime={time} title={full}>{text}</time>;
}

export function Avatar({ user }: { user: Author | null | undefined }) {
  if (!user?.avatarUrl) return <span className="plaudit-avatar" aria-hidden="true">{user?.displayName.slice(0, 1) ?? "?"}</span>;
  return <img className="plaudit-avatar" src={user.avatarUrl} alt="" loading="lazy" />;
}

/** A link to a page of your own; only its text if `to` is missing. */
export function Linked({ to, className, children }: { to: string | undefined; className?: string; children: ReactNode }) {
  return to === undefined ? <span className={className}>{children}</span> : <a className={className} href={to}>{children}</a>;
}

export function UserName({ user }: { user: Author | null | undefined }) {
  const { links } = useSession();
  const { say } = useText();
  if (!user) return <span className="plaudit-name">{say("unknown-user")}</span>;
  return (
    <Linked className="plaudit-name" to={links?.user?.(user.handle)}>
      <bdi>{user.displayName}</bdi> <span className="plaudit-quiet" dir="ltr">@{user.handle}</span>
    </Linked>
  );
}

/** What moderation has to say about the own post or comment; nothing once it is approved. */
export function Status({ of }: { of: { auditStatus: AuditStatus; awaitsModerator: boolean } }) {
  const { say } = useText();
  if (!of.awaitsModerator && of.auditStatus === "APPROVED") return null;
  return <span className="plaudit-badge">{say(of.awaitsModerator ? "in-review" : `own-status-${of.auditStatus}`)}</span>;
}

/** A text whose links, mentions and topics are links. */
export function Words({ of: { text, facets } }: { of: { text?: string | null; facets: readonly TextFacetFragment[] } }) {
  const { links } = useSession();
  return (
    <p className="plaudit-text" dir="auto">
      {textParts(text ?? "", facets).map(({ text: part, facet }, at) => {
        if (facet?.url) return <a key={at} href={facet.url} target="_blank" rel="noopener noreferrer nofollow ugc">{part}</a>;
        const to = facet?.user ? links?.user?.(facet.user.handle) : facet?.topic ? links?.topic?.(facet.topic.name) : undefined;
        return to ? <a key={at} href={to}>{part}</a> : part;
      })}
    </p>
  );
}

export function Attachments({ files }: { files: readonly AttachmentFileFragment[] }) {
  if (!files.length) return null;
  return <div className="plaudit-files">{files.map((file) => <File key={file.url} {...file} />)}</div>;
}

function File({ kind, url, alt, width, height, posterUrl }: AttachmentFileFragment) {
  const { say } = useText();
  const size = { width: width ?? undefined, height: height ?? undefined };
  if (kind === "VIDEO") return <video src={url} poster={posterUrl ?? undefined} aria-label={alt ?? say("video")} controls preload="none" {...size} />;
  if (kind === "AUDIO") return <audio src={url} aria-label={alt ?? say("audio")} controls preload="none" />;
  return <img src={url} alt={alt ?? ""} loading="lazy" {...size} />;
}

/** Content behind its warnings, until the person uncovers it. */
export function Warned({ of: { labels, contentWarning }, children }: { of: { labels: readonly SeenFragment[]; contentWarning?: string | null }; children: ReactNode }) {
  const { say } = useText();
  const [isOpen, setIsOpen] = useState(false);
  const badges = labels.map(({ name, title }) => <span key={name} className="plaudit-badge">{title}</span>);
  const isCovered = Boolean(contentWarning) || labels.some(({ visibility }) => visibility !== "SHOW");
  if (!isCovered) return <>{badges.length > 0 && <p className="plaudit-row">{badges}</p>}{children}</>;
  return (
    <>
      <div className="plaudit-warning">
        {badges} {contentWarning && <span dir="auto">{contentWarning}</span>}
        <button type="button" className="plaudit-button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>{say(isOpen ? "hide-again" : "show-anyway")}</button>
      </div>
      {isOpen && children}
    </>
  );
}

/** Why a write failed. */
export function Failure({ of }: { of: Problem | null }) {
  const { sayProblem } = useText();
  return of && <span role="alert" className="plaudit-problem">{sayProblem(of)}</span>;
}

function problemWith({ items, isLoading, error, degraded }: Omit<Pages<unknown>, "edges">): string | null {
  if (error) return items ? "newest-not-loaded" : "not-loaded";
  if (!degraded.length || (!items && isLoading)) return null;
  return items ? "some-unavailable" : "all-unavailable";
}

/** A list with a button for its next page. It says when it is not complete. */
export function PageList<Node extends { id: string }>({ pages, label, empty, children }: {
  pages: Omit<Pages<Node>, "edges">;
  label: string;
  /** What to say of an empty list; null says nothing. */
  empty: string | null;
  children: (node: Node) => ReactNode;
}) {
  const { say } = useText();
  const { items, hasMore, isLoading, loadMore, refresh } = pages;
  const problem = problemWith(pages);
  return (
    <div role="group" aria-label={label} aria-busy={isLoading}>
      {problem && (
        <p className="plaudit-notice" role="status">
          {say(problem)} <button type="button" className="plaudit-button" onClick={refresh}>{say("try-again")}</button>
        </p>
      )}
      {items && items.length > 0 && <ol className="plaudit-list">{items.map((node) => node && <li key={node.id}>{children(node)}</li>)}</ol>}
      {empty && items?.length === 0 && !isLoading && !problem && <p className="plaudit-quiet">{empty}</p>}
      {!items && isLoading && <p className="plaudit-quiet">{say("loading")}</p>}
      {hasMore && <button type="button" className="plaudit-button plaudit-more" onClick={loadMore}>{say("show-more")}</button>}
    </div>
  );
}
