import { BlocksDocument, MutesDocument, UnblockDocument, UnmuteDocument } from "@plaudit/client";
import { usePages } from "@plaudit/client/react";
import { useMutation } from "urql";
import { Heading } from "../heading.tsx";
import { say } from "../language.tsx";
import { Avatar, Nothing, PageList, UserName } from "../ui.tsx";

/** The users whom the viewer blocks and mutes. */
export function Boundaries() {
  const blocks = usePages(BlocksDocument, { first: 20 }, ({ viewer }) => viewer?.blocks);
  const mutes = usePages(MutesDocument, { first: 20 }, ({ viewer }) => viewer?.mutes);
  const [, unblock] = useMutation(UnblockDocument);
  const [, unmute] = useMutation(UnmuteDocument);
  return (
    <>
      <Heading title={say("boundaries")} />
      <h2>{say("blocked")}</h2>
      <PageList pages={blocks} label={say("blocked-users")} empty={<Nothing icon="block" text={say("blocked-nobody")} />}>
        {(user) => (
          <div className="card note">
            <Avatar user={user} />
            <span className="text"><UserName user={user} /></span>
            <button type="button" onClick={() => unblock({ userId: user.id })}>{say("unblock")}</button>
          </div>
        )}
      </PageList>
      <h2>{say("muted")}</h2>
      <PageList pages={mutes} label={say("muted-users")} empty={<Nothing icon="mute" text={say("muted-nobody")} />}>
        {(user) => (
          <div className="card note">
            <Avatar user={user} />
            <span className="text"><UserName user={user} /></span>
            <button type="button" onClick={() => unmute({ userId: user.id })}>{say("unmute")}</button>
          </div>
        )}
      </PageList>
    </>
  );
}
