import { useSyncExternalStore } from "react";

const WIDE = matchMedia("(min-width: 68.75rem)"); // as in frame.css

/** Returns whether the window has room for a third column. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      WIDE.addEventListener("change", listener);
      return () => WIDE.removeEventListener("change", listener);
    },
    () => WIDE.matches,
  );
}
