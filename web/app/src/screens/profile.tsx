import { BlockDocument, FollowDocument, MuteDocument, ProfileDocument, type ProfileQuery, SetPostNotificationsDocument, UnblockDocument, UnfollowDocument, UnmuteDocument } from "@plaudit/client";
import { useFeed, useRead } from "@plaudit/client/react";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { useMutation } from "urql";
import { FOLLOWS } from "../follow.tsx";
import { Heading } from "../heading.tsx";
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
        {error && <Notice action={() => read({ requestPolicy: "network-only" })}>This profile could not be loaded.</Notice>}
        {!error && (fetching ? <p className="empty">Loading…</p> : <Missing>This user does not exist, or you may not see them.</Missing>)}
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
          <Count value={user.followerCount} of="followers" /> followers · <Count value={user.followingCount} of="following" /> following ·{" "}
          <Count value={user.likesReceivedCount} of="likes received" /> likes
        </p>
        <Actions user={user} />
        <SignInAs handle={user.handle} />
      </div>
      {user.viewerBlocks ? (
        <p className="empty">You have blocked @{user.handle}.</p>
      ) : (
        <>
          {user.pinnedPosts && user.pinnedPosts.length > 0 && (
            <section aria-label="Pinned posts"><h2>Pinned</h2>{user.pinnedPosts.map((post) => <PostCard key={post.id} post={post} />)}</section>
          )}
          <h2>Posts</h2>
          <Posts pages={posts} label="Posts" empty={user.isPrivate && !["FOLLOWING", "FRIENDS", "SELF"].includes(user.viewerRelation ?? "") ? "This account is private." : "No posts yet."} />
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
      <button type="button" onClick={async () => setIsUnknown(!(await choose(handle)))}>Sign in as this user</button>
      {isUnknown && <span role="alert" className="problem">You can sign in only as people of the demo data.</span>}
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
  if (person.handle === user.handle) return <p className="actions"><Link to="/boundaries">Blocked and muted users</Link> <Link to="/account">Account</Link></p>;
  const { viewerRelation: relation, viewerMutes: mutes, viewerBlocks: blocks, viewerGetsPostNotifications: notifies } = user; // null while it cannot be read
  const follows = relation ? FOLLOWS.includes(relation) : null;
  const unknown = Object.entries({ follow: follows, mute: mutes, block: blocks }).flatMap(([what, isOn]) => (typeof isOn === "boolean" ? [] : [what]));
  const run = async (act: (variables: { userId: string }) => Promise<{ error?: unknown; data?: unknown }>) => {
    setProblem(messageOf(await act({ userId: user.id })) ?? "");
  };
  return (
    <p className="actions">
      {!blocks && <Switch isOn={follows} label="Follow" primary onClick={() => run(follows ? unfollow : follow)} />}
      {follows && <Switch isOn={notifies} label="Notify me of posts" onClick={() => run(({ userId }) => notify({ userId, enabled: !notifies }))} />}
      {relation === "REQUESTED" && <span className="badge">Requested</span>}
      <Switch isOn={mutes} label="Mute" onClick={() => run(mutes ? unmute : mute)} />
      <Switch isOn={blocks} label="Block" onClick={() => run(blocks ? unblock : block)} />
      <Menu targetId={user.id} user={user} />
      {unknown.length > 0 && <span className="empty">It is not known now whether you {unknown.join(" or ")} @{user.handle}.</span>}
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
