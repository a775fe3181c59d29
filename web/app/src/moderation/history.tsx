import { EditHistoryDocument } from "@plaudit/client";
import { useState } from "react";
import { useQuery } from "urql";
import { Say, say } from "../language.tsx";
import { Ago } from "../ui.tsx";
import { Files } from "./blur.tsx";

/** The earlier versions of a post or comment, which are read when the moderator opens them. */
export function History({ id, isKnown }: { id: string; isKnown: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{say("earlier-versions")}</summary>
      {isOpen && <Versions id={id} isKnown={isKnown} />}
    </details>
  );
}

function Versions({ id, isKnown }: { id: string; isKnown: boolean }) {
  const [{ data, error }] = useQuery({ query: EditHistoryDocument, variables: { id }, requestPolicy: "network-only" });
  const node = data?.node;
  const versions = node?.__typename === "Post" || node?.__typename === "Comment" ? node.editHistory : null;
  if (!data && !error) return <p role="status">{say("loading")}</p>;
  if (!versions) return <p role="status">{say("versions-not-loaded")}</p>;
  if (!versions.edges.length) return <p>{say("no-versions")}</p>;
  return (
    <ol className="list" aria-label={say("earlier-versions")}>
      {versions.edges.map(({ cursor, node: version }) => (
        <li className="above" key={cursor}><p className="handle"><Say id="written" ago={<Ago time={version.createdAt} />} /></p><p className="text">{version.text || say("no-text")}</p><Files files={version.attachments} isKnown={isKnown} /></li>
      ))}
    </ol>
  );
}
