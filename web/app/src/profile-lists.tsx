import { FollowersDocument, FollowingDocument, UserCollectionsDocument, UserLikesDocument, type UserSummaryFragment } from "@plaudit/client";
import { type Pages, usePages } from "@plaudit/client/react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { FollowUser } from "./follow.tsx";
import { Icon } from "./icons.tsx";
import { say } from "./language.tsx";
import { PostCard } from "./posts.tsx";
import { Empty, type PartOfProfile } from "./profile-user.tsx";
import { Avatar, Nothing, PageList, UserName } from "./ui.tsx";

export function UserLikes({ handle, user }: PartOfProfile) {
  const pages = usePages(UserLikesDocument, { handle, first: 20 }, ({ user: one }) => one?.likes);
  return (
    <PageList pages={pages} label={say("profile-likes")} empty={<Empty user={user} icon="heart" text={say("likes-nothing")} />}>
      {(one) => one.__typename === "Post" && <PostCard post={one} />}
    </PageList>
  );
}

export function UserCollections({ handle, user }: PartOfProfile) {
  const pages = usePages(UserCollectionsDocument, { handle, first: 20 }, ({ user: one }) => one?.collections);
  return (
    <PageList pages={pages} label={say("collections")} empty={<Nothing icon="folder" text={say("no-public-collections")} />}>
      {({ id, name }) => <p className="card note"><Icon name="star" /> <Link className="name text" to={`/collections/${id}`}>{name}</Link></p>}
    </PageList>
  );
}

export function Followers({ handle, user }: PartOfProfile) {
  const pages = usePages(FollowersDocument, { handle, first: 20 }, ({ user: one }) => one?.followers);
  return <People pages={pages} label={say("profile-followers")} empty={<Empty user={user} icon="person" text={say("no-followers")} />} />;
}

export function Following({ handle, user }: PartOfProfile) {
  const pages = usePages(FollowingDocument, { handle, first: 20 }, ({ user: one }) => one?.following);
  return <People pages={pages} label={say("profile-following")} empty={<Empty user={user} icon="person" text={say("follows-nobody")} />} />;
}

function People({ pages, label, empty }: { pages: Pages<UserSummaryFragment>; label: string; empty: ReactNode }) {
  return (
    <PageList pages={pages} label={label} empty={empty}>
      {(one) => <div className="card note person"><Avatar user={one} /><span className="text"><UserName user={one} /></span><FollowUser user={one} /></div>}
    </PageList>
  );
}
