const GLOBAL = /^[A-Z][A-Za-z]*:/;

/** Returns the id of a target: an id of the API as it is, and `recipe:1` as the entity with the key 1 of the business recipe. */
export function idOf(target: string): string {
  return GLOBAL.test(target) ? target : `Entity:${target}`;
}
