import { BlockDocument, FollowDocument, MuteDocument, ProfileDocument, type ProfileQuery, SetPostNotificationsDocument, UnblockDocument, UnfollowDocument, UnmuteDocument } from "@plaudit/client";
import { useFeed, useRead } from "@plaudit/client/react";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { useMutation } from "urql";
import { FOLLOWS } from "../follow.tsx";
import { Heading } from "../heading.tsx";
import { say } from "../language.tsx";
import { Menu } from "../menu.tsx";
import { messageOf } from "../outcome.ts";
import { PostCard } from "../posts.tsx";
import { useSession } from "../session.tsx";
import { Avatar, Count, Missing, Notice } from "../ui.tsx";
import { Posts } from "./feeds.tsx";

type User = NonNullable<ProfileQuery["user"]>;

export function Profile() {
  const { handle = "" } = useParams();
  const [{ data, error, fetching }, read] = useRead({ query: ProfileDocument, variables: { handle } });
  const posts = useFeed({ kind: "user", handle }); // at once, not after the profile
  const user = data?.user;
  if (!user) {
    return (
      <>
        <Heading title={`@${handle}`} />
        {error && <Notice action={() => read({ requestPolicy: "network-only" })}>{say("profile-not-loaded")}</Notice>}
        {!error && (fetching ? <p className="empty">{say("loading")}</p> : <Missing>{say("user-missing")}</Missing>)}
      </>
    );
  }
  return (
    <>
      <div className="card profile">
        <Avatar user={user} large />
        <Heading title={user.displayName} />
        <p className="handle">@{user.handle}</p>
        {user.bio && <p>{user.bio}</p>}
        <p>
          <Count value={user.followerCount} of="followers" named /> · <Count value={user.followingCount} of="following" named /> ·{" "}
          <Count value={user.likesReceivedCount} of="likes" named />
        </p>
        <Actions user={user} />
        <SignInAs handle={user.handle} />
      </div>
      {user.viewerBlocks ? (
        <p className="empty">{say("blocked-now", { handle: user.handle })}</p>
      ) : (
        <>
          {user.pinnedPosts && user.pinnedPosts.length > 0 && (
            <section aria-label={say("pinned-posts")}><h2>{say("pinned")}</h2>{user.pinnedPosts.map((post) => <PostCard key={post.id} post={post} />)}</section>
          )}
          <h2>{say("posts")}</h2>
          <Posts pages={posts} label={say("posts")} empty={say(user.isPrivate && !["FOLLOWING", "FRIENDS", "SELF"].includes(user.viewerRelation ?? "") ? "account-private" : "no-posts")} />
        </>
      )}
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
  if (person.handle === user.handle) return <p className="actions"><Link to="/boundaries">{say("boundaries")}</Link> <Link to="/filters">{say("filters")}</Link> <Link to="/account">{say("account")}</Link></p>;
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
