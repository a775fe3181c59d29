import { DiscoverDocument, type DiscoverQuery, DismissSuggestionDocument } from "@plaudit/client";
import { useRead, useWrite } from "@plaudit/client/react";
import { type ReactNode, useRef, useState } from "react";
import { Link } from "react-router";
import { FollowUser } from "./follow.tsx";
import { Icon } from "./icons.tsx";
import { compact, say } from "./language.tsx";
import { messageOf } from "./outcome.ts";
import { Avatar, Skeleton, UserName } from "./ui.tsx";

const SHOWN = 4; // of the ten suggestions that are read; others take the places of dismissed ones

type Suggestion = NonNullable<NonNullable<DiscoverQuery["viewer"]>["suggestedUsers"]>[number];

/** Whom to follow, and which topics trend. */
export function Discover() {
  const [{ data, fetching }] = useRead({ query: DiscoverDocument, variables: {} });
  if (!data) return fetching ? <section className="card" aria-busy="true"><Skeleton count={5} isRow /></section> : <p className="empty">{say("discover-not-loaded")}</p>;
  return (
    <>
      <section className="card" aria-label={say("trends")}>
        <h2>{say("trends")}</h2>
        <Some items={data.trendingTopics} empty={say("no-trends")}>
          {({ topic, authorCount }) => (
            <li key={topic.id}>
              <Link className="trend" to={`/topics/${topic.name}`}><bdi>#{topic.name}</bdi>{" "}<span className="handle"><bdi>{say("authors-write", { count: compact(authorCount) })}</bdi></span></Link>
            </li>
          )}
        </Some>
      </section>
      {data.viewer && <WhoToFollow suggestions={data.viewer.suggestedUsers} />}
    </>
  );
}

function WhoToFollow({ suggestions }: { suggestions: Suggestion[] | null | undefined }) {
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = suggestions?.filter(({ user }) => !dismissed.has(user.id)).slice(0, SHOWN);
  const onDismissed = (id: string) => {
    setDismissed((ids) => new Set(ids).add(id));
    heading.current?.focus(); // its button had the focus
  };
  return (
    <section className="card" aria-label={say("who-to-follow")}>
      <h2 ref={heading} tabIndex={-1}>{say("who-to-follow")}</h2>
      <Some items={shown} empty={say("no-suggestions")}>
        {(suggestion) => <Suggested key={suggestion.user.id} suggestion={suggestion} onDismissed={onDismissed} />}
      </Some>
    </section>
  );
}

function Suggested({ suggestion, onDismissed }: { suggestion: Suggestion; onDismissed: (id: string) => void }) {
  const { user } = suggestion;
  const [, dismiss] = useWrite(DismissSuggestionDocument);
  const [problem, setProblem] = useState<string | null>(null);
  const userId = user.id;
  const remove = async () => {
    const refusal = messageOf(await dismiss({ userId }));
    setProblem(refusal);
    if (!refusal) onDismissed(userId);
  };
  return (
    <li className="note suggested">
      <Avatar user={user} />
      <span className="text"><UserName user={user} /><span className="handle">{reasonOf(suggestion)}</span>{problem && <span role="alert" className="problem">{problem}</span>}</span>
      <FollowUser user={user} />
      <button type="button" className="menu" aria-label={say("do-not-suggest", { handle: user.handle })} onClick={remove}><Icon name="close" /></button>
    </li>
  );
}

/** Returns why a user is suggested. */
function reasonOf({ reason, followedBy, followedByCount, topic }: Suggestion): string {
  if (reason === "SIMILAR_LIKES") return say("suggested-similar");
  if (reason === "POPULAR_IN_TOPIC") return topic ? say("suggested-popular", { topic: topic.name }) : say("suggested-popular-somewhere");
  if (reason === "NEW_MEMBER") return say("suggested-new");
  const [one] = followedBy;
  if (!one) return say("suggested-followed-by-some");
  const others = followedByCount - 1;
  return say("suggested-followed", { name: one.displayName, others });
}

/** A list that is short, or not there: `items` is null while it cannot be read. */
function Some<Item>({ items, empty, children }: { items: readonly Item[] | null | undefined; empty: string; children: (item: Item) => ReactNode }) {
  if (!items) return <p className="empty">{say("unavailable")}</p>;
  return items.length ? <ul className="list">{items.map(children)}</ul> : <p className="empty">{empty}</p>;
}
