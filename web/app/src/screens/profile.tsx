import { BlockDocument, FollowDocument, MuteDocument, ProfileDocument, type ProfileQuery, SetPostNotificationsDocument, UnblockDocument, UnfollowDocument, UnmuteDocument } from "@plaudit/client";
import { useFeed, useRead } from "@plaudit/client/react";
import { type KeyboardEvent, Suspense, useState } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import { useMutation } from "urql";
import { FOLLOWS } from "../follow.tsx";
import { Heading } from "../heading.tsx";
import { Icon } from "../icons.tsx";
import { dateOf, say } from "../language.tsx";
import { Menu } from "../menu.tsx";
import { messageOf } from "../outcome.ts";
import { PostCard } from "../posts.tsx";
import { Empty, type PartOfProfile } from "../profile-user.tsx";
import { rare } from "../rare.ts";
import { useSession } from "../session.tsx";
import { Avatar, Count, Missing, Notice, Skeleton } from "../ui.tsx";
import { Posts } from "./feeds.tsx";
import "../link-button.css";
import "../profile.css";

type User = NonNullable<ProfileQuery["user"]>;

const UserLikes = rare(async () => (await import("../profile-lists.tsx")).UserLikes, NotShown);
const UserCollections = rare(async () => (await import("../profile-lists.tsx")).UserCollections, NotShown);
const Followers = rare(async () => (await import("../profile-lists.tsx")).Followers, NotShown);
const Following = rare(async () => (await import("../profile-lists.tsx")).Following, NotShown);
const EditProfile = rare(async () => (await import("../edit-profile.tsx")).EditProfile, NotShown);
const TABS = { posts: UserPosts, likes: UserLikes, collections: UserCollections };
const LISTS = { followers: Followers, following: Following };

function NotShown() {
  return <Notice>{say("load-again")}</Notice>;
}

type Tab = keyof typeof TABS | keyof typeof LISTS;

export function Profile() {
  const { handle = "" } = useParams();
  return <One key={handle} handle={handle} />;
}

function One({ handle }: { handle: string }) {
  const [search] = useSearchParams();
  const [{ data, error, fetching }, read] = useRead({ query: ProfileDocument, variables: { handle } });
  const asked = search.get("tab") ?? "";
  const tab = asked in TABS || asked in LISTS ? (asked as Tab) : "posts";
  const user = data?.user?.createdAt ? data.user : undefined; // the cache may know the name alone
  const isComing = !user && !error && (fetching || Boolean(data?.user));
  const Panel = { ...TABS, ...LISTS }[tab];
  return (
    <>
      {user ? <Header user={user} /> : isComing ? <Coming handle={handle} /> : <Heading title={`@${handle}`} staysQuiet />}
      {!user && error && <Notice action={() => read({ requestPolicy: "network-only" })}>{say("profile-not-loaded")}</Notice>}
      {!user && !error && !isComing && <Missing>{say("user-missing")}</Missing>}
      {user?.viewerBlocks && <p className="empty">{say("blocked-now", { handle: user.handle })}</p>}
      {user && !user.viewerBlocks && <Tabs tab={tab} />}
      {/* Reads its list at once, not after the profile. */}
      {!user?.viewerBlocks && (
        <div role="tabpanel" id="part" aria-labelledby={`tab-${tab}`} hidden={!user}>
          <Suspense fallback={<Skeleton />}><Panel handle={handle} user={user} /></Suspense>
        </div>
      )}
    </>
  );
}

/** Has the shape of a profile that is being read. */
function Coming({ handle }: { handle: string }) {
  return (
    <>
      <div className="card profile-header">
        <div className="profile-cover" />
        <div className="profile-top"><span className="avatar large" /></div>
        <Heading title={`@${handle}`} staysQuiet />
      </div>
      <Skeleton />
    </>
  );
}

function Header({ user }: { user: User }) {
  const path = `/users/${user.handle}`;
  return (
    <div className="card profile-header">
      <div className="profile-cover" aria-hidden="true" />
      <div className="profile-top">
        <Avatar user={user} large />
        <Actions user={user} />
      </div>
      <Heading title={user.displayName} staysQuiet />
      <p className="handle"><bdi>@{user.handle}</bdi> {user.isPrivate && <span className="badge"><Icon name="lock" /> {say("private-account")}</span>}</p>
      {user.bio && <p className="text"><bdi>{user.bio}</bdi></p>}
      <p className="counts">
        <Link to={`${path}?tab=followers`}><Count value={user.followerCount} of="followers" named /></Link>
        <Link to={`${path}?tab=following`}><Count value={user.followingCount} of="following" named /></Link>
        <Count value={user.likesReceivedCount} of="likes" named />
        <span className="handle"><bdi>{say("joined", { date: dateOf(user.createdAt, { dateStyle: "long" }) })}</bdi></span>
      </p>
      <SignInAs handle={user.handle} />
    </div>
  );
}

/** What a profile shows. The lists of followers and followed users open from their counts, and have no tab of their own. */
function Tabs({ tab }: { tab: Tab }) {
  const [, setSearch] = useSearchParams();
  const isList = tab in LISTS;
  const names = [...(Object.keys(TABS) as Tab[]), ...(isList ? [tab] : [])];
  const open = (name: Tab) => setSearch(name === "posts" ? {} : { tab: name }, { replace: true });
  const onKeyDown = ({ key, currentTarget }: KeyboardEvent) => {
    const isRightToLeft = getComputedStyle(currentTarget).direction === "rtl";
    const step = { ArrowRight: isRightToLeft ? -1 : 1, ArrowLeft: isRightToLeft ? 1 : -1 }[key];
    if (!step) return;
    const next = names[(names.indexOf(tab) + step + names.length) % names.length]!;
    open(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <div className="tabs line-tabs" role="tablist" aria-label={say("parts-of-profile")} onKeyDown={onKeyDown}>
      {names.map((name) => (
        <button key={name} type="button" role="tab" id={`tab-${name}`} aria-selected={name === tab} aria-controls="part" tabIndex={name === tab ? 0 : -1} onClick={() => open(name)}>{say(`profile-${name}`)}</button>
      ))}
    </div>
  );
}

function UserPosts({ handle, user }: PartOfProfile) {
  const posts = useFeed({ kind: "user", handle });
  return (
    <>
      {user?.pinnedPosts && user.pinnedPosts.length > 0 && (
        <section aria-label={say("pinned-posts")}><h2>{say("pinned")}</h2>{user.pinnedPosts.map((post) => <PostCard key={post.id} post={post} />)}</section>
      )}
      <Posts pages={posts} label={say("posts")} empty={<Empty user={user} icon="pen" text={say("no-posts")} />} />
    </>
  );
}

function SignInAs({ handle }: { handle: string }) {
  const { person, choose } = useSession();
  const [isUnknown, setIsUnknown] = useState(false);
  if (person?.handle === handle) return null;
  return (
    <p className="actions">
      <button type="button" onClick={async () => setIsUnknown(!(await choose(handle)))}>{say("sign-in-as")}</button>
      {isUnknown && <span role="alert" className="problem">{say("only-demo-people")}</span>}
    </p>
  );
}

function Actions({ user }: { user: User }) {
  const { person } = useSession();
  const [, follow] = useMutation(FollowDocument);
  const [, unfollow] = useMutation(UnfollowDocument);
  const [, notify] = useMutation(SetPostNotificationsDocument);
  const [, block] = useMutation(BlockDocument);
  const [, unblock] = useMutation(UnblockDocument);
  const [, mute] = useMutation(MuteDocument);
  const [, unmute] = useMutation(UnmuteDocument);
  const [problem, setProblem] = useState("");
  if (!person) return null;
  if (person.handle === user.handle) return <p className="actions"><Suspense><EditProfile user={user} /></Suspense><Link className="button" to="/settings">{say("settings")}</Link></p>;
  const { viewerRelation: relation, viewerMutes: mutes, viewerBlocks: blocks, viewerGetsPostNotifications: notifies } = user; // null while it cannot be read
  const follows = relation ? FOLLOWS.includes(relation) : null;
  const unknown = Object.entries({ follow: follows, mute: mutes, block: blocks }).flatMap(([what, isOn]) => (typeof isOn === "boolean" ? [] : [what]));
  const run = async (act: (variables: { userId: string }) => Promise<{ error?: unknown; data?: unknown }>) => {
    setProblem(messageOf(await act({ userId: user.id })) ?? "");
  };
  return (
    <p className="actions">
      {!blocks && <Switch isOn={follows} label={say("follow")} primary onClick={() => run(follows ? unfollow : follow)} />}
      {follows && <Switch isOn={notifies} label={say("notify-me")} onClick={() => run(({ userId }) => notify({ userId, enabled: !notifies }))} />}
      {relation === "REQUESTED" && <span className="badge">{say("requested")}</span>}
      <Switch isOn={mutes} label={say("mute")} onClick={() => run(mutes ? unmute : mute)} />
      <Switch isOn={blocks} label={say("block")} onClick={() => run(blocks ? unblock : block)} />
      <Menu targetId={user.id} user={user} />
      {unknown.length > 0 && <span className="empty">{say("relation-unknown", { what: unknown.map((one) => say(`unknown-${one}`)).join(say("or")), handle: user.handle })}</span>}
      {problem && <span role="alert" className="problem">{problem}</span>}
    </p>
  );
}

/** A button with two states and one name. It can be used while its state is unknown: turning on what is on changes nothing. */
function Switch({ isOn, label, primary, onClick }: {
  isOn: boolean | null | undefined;
  label: string;
  primary?: boolean;
  onClick: () => void;
}) {
  return <button type="button" className={primary && isOn === false ? "primary" : ""} aria-pressed={isOn ?? "mixed"} onClick={onClick}>{label}</button>;
}
