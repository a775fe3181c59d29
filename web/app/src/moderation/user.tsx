import { ModeratedProfileDocument } from "@plaudit/client";
import { Link, useParams } from "react-router";
import { useQuery } from "urql";
import { Say, say } from "../language.tsx";
import { Ago, Handle, Notice } from "../ui.tsx";
import { Lines } from "./log.tsx";
import { Blurred } from "./blur.tsx";
import { excerpt, Picture, State, useTitle } from "./parts.tsx";
import { useCan, useSession } from "./session.tsx";
import { Suspend, Suspended } from "./suspend.tsx";

/** A user, with everything that was decided about them, and the suspension. */
export function User() {
  const { id = "" } = useParams();
  const { isRestricted, moderator } = useSession();
  const can = useCan();
  const [{ data, error, fetching }, read] = useQuery({ query: ModeratedProfileDocument, variables: { id }, pause: isRestricted, requestPolicy: "cache-and-network" });
  const user = data?.node?.__typename === "User" ? data.node : null;
  useTitle(user ? `@${user.handle}` : say("thing-User"));
  if (isRestricted) return <p className="empty">{say("users-restricted")}</p>;
  if (!user && error) return <Notice action={() => read({ requestPolicy: "network-only" })}>{error.graphQLErrors[0]?.message ?? say("user-not-loaded")}</Notice>;
  if (!user) return <p className="empty" role="status">{say(fetching ? "loading" : "no-user")}</p>;
  return (
    <>
      <h1>{user.displayName} <Handle of={user} /></h1>
      <div className="card">
        <div className="byline"><Blurred isKnown={false}><Picture user={user} /></Blurred> <span className="handle"><Say id="registered" ago={<Ago time={user.createdAt} />} /></span></div>
        <p className="text">{user.bio || say("no-bio")}</p>
        {user.collections && user.collections.edges.length > 0 && <p>{say("public-collections", { names: user.collections.edges.map(({ node }) => node.name).join(say("separator")) })}</p>}
        <Suspended userId={user.id} />
        {user.id === moderator.id ? <p className="handle">{say("not-about-you")}</p> : can("LEAD") && <Suspend userId={user.id} />}
      </div>
      <h2>{say("decisions")}</h2>
      <Lines userId={user.id} />
      <h2>{say("newest-posts")}</h2>
      {user.posts?.edges.length === 0 && <p className="empty">{say("no-posts")}</p>}
      <ul className="list">
        {user.posts?.edges.map(({ node }) => node.__typename === "Post" && (
          <li className="line byline" key={node.id}><Link to={`/content/${node.id}`}>{excerpt(node)}</Link> <State status={node.auditStatus} /> <Ago time={node.createdAt} /></li>
        ))}
      </ul>
    </>
  );
}
