import { CollectionDocument, CollectionsDocument, CreateCollectionDocument, DeleteCollectionDocument, SaveDocument, type SavedEntryFragment, SavedDocument, UnsaveDocument } from "@plaudit/client";
import { usePages, useRead, useWrite } from "@plaudit/client/react";
import { type FormEvent, useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { useMutation, useQuery } from "urql";
import { Heading } from "../heading.tsx";
import { Icon } from "../icons.tsx";
import { say } from "../language.tsx";
import { messageOf } from "../outcome.ts";
import { PostCard } from "../posts.tsx";
import { toast } from "../toasts.tsx";
import { Ago, Missing, Nothing, PageList, pathOf, UserName } from "../ui.tsx";
import { EntityCard } from "./entity.tsx";

function keyed<Item extends { targetId?: string | null; savedAt: string }>(item: Item): Item & { id: string } {
  return { ...item, id: item.targetId ?? item.savedAt };
}

export function Favourites() {
  const pages = usePages(SavedDocument, { first: 20 }, ({ viewer }) => viewer?.saved);
  return (
    <>
      <Heading title={say("favourites")} />
      <CollectionList />
      <h2>{say("all")}</h2>
      <PageList pages={{ ...pages, items: pages.items?.map(keyed) }} label={say("favourites")} empty={<Nothing icon="star" text={say("saved-nothing")}><span className="empty">{say("saved-means")}</span><Link className="button primary" to="/square">{say("see-square")}</Link></Nothing>}>{(item) => <Saved item={item} />}</PageList>
    </>
  );
}

function Saved({ item }: { item: SavedEntryFragment }) {
  const [, unsave] = useMutation(UnsaveDocument);
  const [, save] = useMutation(SaveDocument);
  const { target, targetId, collection } = item;
  const remove = async (id: string) => {
    const refusal = messageOf(await unsave({ targetId: id }));
    if (refusal) toast(refusal);
    else toast(say("removed"), () => save({ targetId: id, collectionId: collection?.id }));
  };
  if (target?.__typename === "Post") return <PostCard post={target} />;
  if (target?.__typename === "Entity") return <EntityCard entity={target} />;
  return (
    <article className="card">
      {target?.__typename === "Comment" && !target.deleted && (
        <><header><UserName user={target.author} /><Ago time={target.createdAt} /></header><p className="text">{target.subject ? <Link to={pathOf(target.subject)}>{target.commentText}</Link> : target.commentText}</p></>
      )}
      {(!target || (target.__typename === "Comment" && target.deleted)) && <p className="text empty">{say("no-longer-available")}</p>}
      {targetId && <button type="button" onClick={() => remove(targetId)}>{say("remove")}</button>}
    </article>
  );
}

function CollectionList() {
  const [{ data }] = useRead({ query: CollectionsDocument, variables: { first: 50 } });
  const [, create] = useWrite(CreateCollectionDocument);
  const [name, setName] = useState("");
  const [problem, setProblem] = useState("");
  const add = async (event: FormEvent) => {
    event.preventDefault();
    const { data: made, error } = await create({ name, isPublic: false });
    setProblem(error ? say("did-not-work") : (made?.createCollection?.userErrors[0]?.message ?? ""));
    if (!error) setName("");
  };
  return (
    <section aria-label={say("collections")}>
      <ul className="chips">
        {data?.viewer?.collections?.edges.map(({ node }) => <li key={node.id}><Link to={`/collections/${node.id}`}>{node.name}{!node.isPublic && <> <Icon name="lock" /><span className="hidden"> {say("is-private")}</span></>}</Link></li>)}
      </ul>
      <form className="inline" onSubmit={add}>
        <input aria-label={say("new-collection-name")} placeholder={say("new-collection")} value={name} onChange={(event) => setName(event.target.value)} />
        <button type="submit" disabled={!name.trim()}>{say("create")}</button>
        {problem && <span role="alert" className="problem">{problem}</span>}
      </form>
    </section>
  );
}

export function Collection() {
  const { id = "" } = useParams();
  const navigate = useNavigate();
  const [{ data, error, fetching }] = useQuery({ query: CollectionDocument, variables: { id, first: 20, after: null } });
  const [, remove] = useMutation(DeleteCollectionDocument);
  const pages = usePages(CollectionDocument, { id, first: 20 }, ({ node }) => (node?.__typename === "Collection" ? node.items : null));
  const collection = data?.node?.__typename === "Collection" ? data.node : null;
  if (!collection && !fetching && !error) {
    return <><Heading title={say("collection")} /><Missing>{say("collection-missing")}</Missing></>;
  }
  return (
    <>
      <Heading title={collection?.name ?? say("collection")} />
      {collection && <p>{say(collection.isPublic ? "public" : "private")} · <button type="button" onClick={async () => { await remove({ id }); navigate("/favourites"); }}>{say("delete")}</button></p>}
      <PageList pages={{ ...pages, items: pages.items?.map(keyed) }} label={say("items")} empty={<Nothing icon="folder" text={say("collection-empty")} />}>{(item) => <Saved item={item} />}</PageList>
    </>
  );
}
