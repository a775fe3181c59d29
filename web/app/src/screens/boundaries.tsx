import { BlocksDocument, MutesDocument, UnblockDocument, UnmuteDocument } from "@plaudit/client";
import { usePages } from "@plaudit/client/react";
import { useMutation } from "urql";
import { Heading } from "../heading.tsx";
import { Avatar, PageList, UserName } from "../ui.tsx";

/** The users whom the viewer blocks and mutes. */
export function Boundaries() {
  const blocks = usePages(BlocksDocument, { first: 20 }, ({ viewer }) => viewer?.blocks);
  const mutes = usePages(MutesDocument, { first: 20 }, ({ viewer }) => viewer?.mutes);
  const [, unblock] = useMutation(UnblockDocument);
  const [, unmute] = useMutation(UnmuteDocument);
  return (
    <>
      <Heading title="Blocked and muted users" />
      <h2>Blocked</h2>
      <PageList pages={blocks} label="Blocked users" empty="You have blocked nobody.">
        {(user) => (
          <div className="card note">
            <Avatar user={user} />
            <span className="text"><UserName user={user} /></span>
            <button type="button" onClick={() => unblock({ userId: user.id })}>Unblock</button>
          </div>
        )}
      </PageList>
      <h2>Muted</h2>
      <PageList pages={mutes} label="Muted users" empty="You have muted nobody.">
        {(user) => (
          <div className="card note">
            <Avatar user={user} />
            <span className="text"><UserName user={user} /></span>
            <button type="button" onClick={() => unmute({ userId: user.id })}>Unmute</button>
          </div>
        )}
      </PageList>
    </>
  );
}
