import { AccountDocument, CancelDeletionDocument } from "@plaudit/client";
import { useRead } from "@plaudit/client/react";
import { useState } from "react";
import { useNavigate } from "react-router";
import { useMutation } from "urql";
import { Download } from "../download.tsx";
import { Heading } from "../heading.tsx";
import { messageOf } from "../outcome.ts";
import { useSession } from "../session.tsx";
import { momentOf } from "../ui.tsx";

/** Takes the place of every screen while the account of the signed-in person is deleted. */
export function DeletedAccount({ dueAt }: { dueAt: string | null }) {
  const { choose } = useSession();
  return (
    <>
      <Heading title={dueAt ? `This account will be deleted on ${momentOf(dueAt)}` : "This account was deleted"} />
      {dueAt && <Pending />}
      <p><button type="button" onClick={() => choose(null)}>Sign out</button></p>
    </>
  );
}

function Pending() {
  const { person, setDeletion } = useSession();
  const navigate = useNavigate();
  const [{ data }] = useRead({ query: AccountDocument, variables: {} });
  const [{ fetching }, cancel] = useMutation(CancelDeletionDocument);
  const [problem, setProblem] = useState<string | null>(null);
  const mode = data?.viewer?.deletion?.mode;
  const restore = async () => {
    const result = await cancel({});
    const refusal = messageOf(result);
    setProblem(refusal);
    if (result.data?.cancelDeletion?.userErrors[0]?.code === "TARGET_DELETED") setDeletion({ dueAt: null });
    if (refusal) return;
    setDeletion(null);
    navigate(`/users/${person?.handle}`); // so that the next heading takes the focus
  };
  return (
    <>
      <p>
        Nobody else sees your account, posts and comments. Until then, you can restore everything.{" "}
        {mode && <>Afterwards your data is removed. Your posts and comments {mode === "ERASE" ? "are removed, too" : "stay without your name"}.</>}
      </p>
      <p><button type="button" className="primary" disabled={fetching} onClick={restore}>Restore the account</button></p>
      {problem && <p role="alert" className="problem">{problem}</p>}
      <Download last={data?.viewer?.export} />
    </>
  );
}
