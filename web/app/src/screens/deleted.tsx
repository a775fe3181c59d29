import { AccountDocument, CancelDeletionDocument } from "@plaudit/client";
import { useRead } from "@plaudit/client/react";
import { useState } from "react";
import { useNavigate } from "react-router";
import { useMutation } from "urql";
import { Download } from "../download.tsx";
import { Heading } from "../heading.tsx";
import { say } from "../language.tsx";
import { messageOf } from "../outcome.ts";
import { useSession } from "../session.tsx";
import { momentOf } from "../ui.tsx";

/** Takes the place of every screen while the account of the signed-in person is deleted. */
export function DeletedAccount({ dueAt }: { dueAt: string | null }) {
  const { choose } = useSession();
  return (
    <>
      <Heading title={dueAt ? say("will-be-deleted", { moment: momentOf(dueAt) }) : say("was-deleted")} />
      {dueAt && <Pending />}
      <p><button type="button" onClick={() => choose(null)}>{say("sign-out")}</button></p>
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
        {say("deleted-means")} {mode && say(`deleted-${mode}`)}
      </p>
      <p><button type="button" className="primary" disabled={fetching} onClick={restore}>{say("restore")}</button></p>
      {problem && <p role="alert" className="problem">{problem}</p>}
      <Download last={data?.viewer?.export} />
    </>
  );
}
