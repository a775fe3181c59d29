import { CollectionsDocument, CreateCollectionDocument, SaveDocument } from "@plaudit/client";
import { type Pages, usePages } from "@plaudit/client/react";
import { useAct } from "./act.js";
import { idOf } from "./ids.js";
import type { Problem } from "./problem.js";

export interface Collection {
  id: string;
  name: string;
  isPublic: boolean;
}

export interface Collections extends Pages<Collection> {
  /** Saves the target in a collection. */
  saveIn: (collectionId: string) => Promise<Problem | null>;
  /** Creates a private collection and saves the target in it. */
  create: (name: string) => Promise<Problem | null>;
}

/** The viewer's collections, in which a post, comment or entity can be saved. */
export function useCollections(target: string): Collections {
  const targetId = idOf(target);
  const pages = usePages(CollectionsDocument, { first: 50 }, ({ viewer }) => viewer?.collections);
  const save = useAct(SaveDocument);
  const add = useAct(CreateCollectionDocument);
  const saveIn = async (collectionId: string) => (await save({ targetId, collectionId })).problem;
  const create = async (name: string): Promise<Problem | null> => {
    const { data, problem } = await add({ name, isPublic: false });
    const collection = data?.createCollection?.collection;
    return collection ? saveIn(collection.id) : problem;
  };
  return { ...pages, saveIn, create };
}
