import { codeOf, type SearchSort, SearchEntitiesDocument, SearchTopicsDocument, SearchUsersDocument } from "@plaudit/client";
import { type Pages, useFeed, usePages } from "@plaudit/client/react";
import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { Discover } from "../discover.tsx";
import { FollowTopic, FollowUser } from "../follow.tsx";
import { Heading } from "../heading.tsx";
import { say } from "../language.tsx";
import { Avatar, Count, Marked, Nothing, PageList, Searched } from "../ui.tsx";
import { useIsWide } from "../wide.ts";
import { EntityCard } from "./entity.tsx";
import { Posts } from "./feeds.tsx";

const PANELS = { people: PeopleFound, posts: PostsFound, topics: TopicsFound, videos: VideosFound };

type Tab = keyof typeof PANELS;

/** Users, posts, topics and videos that match a query. The address has the query and the tab. */
export function Search() {
  const [search, setSearch] = useSearchParams();
  const isWide = useIsWide();
  const query = search.get("q")?.trim() ?? "";
  const asked = search.get("tab") ?? "";
  const tab = asked in PANELS ? (asked as Tab) : "posts";
  const [text, setText] = useState(query);
  const [known, setKnown] = useState(query);
  if (query !== known) {
    setKnown(query);
    setText(query); // not in an effect: while a screen fades in, effects wait, and would replace what is typed meanwhile
  }
  const send = (event: FormEvent) => {
    event.preventDefault();
    setSearch({ q: text.trim(), tab });
  };
  return (
    <>
      <Heading title={query ? say("search-for-query", { query }) : say("search")} staysQuiet>{say("search")}</Heading>
      <form role="search" className="inline" onSubmit={send}>
        <input type="search" dir="auto" aria-label={say("search-for")} placeholder={say("search-words")} maxLength={200} autoCapitalize="none" value={text} onChange={(event) => setText(event.target.value)} />
        <button type="submit" className="primary">{say("search")}</button>
      </form>
      {query && <Results query={query} tab={tab} onTab={(one) => setSearch({ q: query, tab: one }, { replace: true })} />}
      {!query && <Help />}
      {!query && !isWide && <Discover />}
    </>
  );
}

function Results({ query, tab, onTab }: { query: string; tab: Tab; onTab: (tab: Tab) => void }) {
  const names = Object.keys(PANELS) as Tab[];
  const Panel = PANELS[tab];
  const onKeyDown = ({ key, currentTarget }: KeyboardEvent) => {
    const isRightToLeft = getComputedStyle(currentTarget).direction === "rtl";
    const step = { ArrowRight: isRightToLeft ? -1 : 1, ArrowLeft: isRightToLeft ? 1 : -1 }[key];
    if (!step) return;
    const next = names[(names.indexOf(tab) + step + names.length) % names.length]!;
    onTab(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <>
      <div className="tabs" role="tablist" aria-label={say("kinds-of-results")} onKeyDown={onKeyDown}>
        {names.map((name) => (
          <button key={name} type="button" role="tab" id={`tab-${name}`} aria-selected={name === tab} aria-controls="found" tabIndex={name === tab ? 0 : -1} onClick={() => onTab(name)}>{say(`tab-${name}`)}</button>
        ))}
      </div>
      <div role="tabpanel" id="found" aria-labelledby={`tab-${tab}`}>
        <Searched value={query}><Panel key={query} query={query} /></Searched>
      </div>
    </>
  );
}

/** Shows a list of results; in its place, why the query was refused, or how to search if nothing was found. */
function Found({ pages, children }: { pages: Pages<unknown>; children: ReactNode }) {
  const { error, items, isLoading, degraded } = pages;
  if (codeOf(error) === "BAD_INPUT") return <><p role="alert" className="problem">{error?.graphQLErrors[0]?.message}</p><Help /></>;
  return (
    <>
      <p role="status" className="hidden">{items && !isLoading && say(pages.hasMore ? "results-or-more" : "results", { count: items.length })}</p>
      {children}
      {items?.length === 0 && !isLoading && !error && !degraded.length && <Help />}
    </>
  );
}

function PeopleFound({ query }: { query: string }) {
  const pages = usePages(SearchUsersDocument, { query, first: 20 }, ({ searchUsers }) => searchUsers);
  return (
    <Found pages={pages}>
      <PageList pages={pages} label={say("people-found")} empty={<Nothing icon="search" text={say("nothing-found")} />}>
        {(user) => (
          <div className="card note">
            <Avatar user={user} />
            <Link className="name text" to={`/users/${user.handle}`}><bdi><Marked text={user.displayName} /></bdi> <span className="handle"><bdi>@<Marked text={user.handle} /></bdi></span></Link>
            <FollowUser user={user} />
          </div>
        )}
      </PageList>
    </Found>
  );
}

function PostsFound({ query }: { query: string }) {
  const [sort, setSort] = useState<SearchSort>("BEST");
  const pages = useFeed({ kind: "search", query, sort });
  return (
    <>
      <div className="tabs" role="group" aria-label={say("order")}>
        <button type="button" aria-pressed={sort === "BEST"} onClick={() => setSort("BEST")}>{say("best")}</button>
        <button type="button" aria-pressed={sort === "NEWEST"} onClick={() => setSort("NEWEST")}>{say("newest")}</button>
      </div>
      <Found pages={pages}><Posts pages={pages} label={say("posts-found")} empty={<Nothing icon="search" text={say("nothing-found")} />} /></Found>
    </>
  );
}

function TopicsFound({ query }: { query: string }) {
  const pages = usePages(SearchTopicsDocument, { query, first: 20 }, ({ searchTopics }) => searchTopics);
  return (
    <Found pages={pages}>
      <PageList pages={pages} label={say("topics-found")} empty={<Nothing icon="search" text={say("nothing-found")} />}>
        {(topic) => (
          <div className="card note">
            <span className="text"><Link to={`/topics/${topic.name}`}><bdi>#<Marked text={topic.name} /></bdi></Link> <span className="handle"><Count value={topic.followerCount} of="followers" named /></span></span>
            <FollowTopic topic={topic} />
          </div>
        )}
      </PageList>
    </Found>
  );
}

function VideosFound({ query }: { query: string }) {
  const pages = usePages(SearchEntitiesDocument, { business: "video", query, first: 20 }, ({ searchEntities }) => searchEntities);
  return <Found pages={pages}><PageList pages={pages} label={say("videos-found")} empty={<Nothing icon="search" text={say("nothing-found")} />}>{(entity) => <EntityCard entity={entity} />}</PageList></Found>;
}

/** Examples of queries, and what they find: messages `operator-…`. */
const OPERATORS: [string, string][] = [
  ["green tea", "words"],
  ["“green tea”", "phrase"],
  ["from:alice", "from"],
  ["topic:tea", "topic"],
  ["after:2026-01-31 before:2026-03-01", "days"],
  ["has:image", "images"],
];

/** Teaches the operators of queries. */
function Help() {
  return (
    <section className="card" aria-label={say("how-to-search")}>
      <h2>{say("how-to-search")}</h2>
      <dl>{OPERATORS.map(([example, effect]) => <div key={example}><dt><code>{example}</code></dt><dd>{say(`operator-${effect}`)}</dd></div>)}</dl>
    </section>
  );
}
