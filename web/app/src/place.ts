import { useLayoutEffect } from "react";
import { useLocation, useNavigationType } from "react-router";

const PATIENCE = 10_000; // milliseconds for which a list may grow until it reaches the place
const INPUTS = ["wheel", "touchstart", "keydown", "pointerdown"];

/** Scrolls the page to a place as soon as it is long enough, unless the person scrolls first. Returns how to stop. */
function scrollToPlace(place: number): { isDone: () => boolean; stop: () => void } {
  let isDone = false;
  const observer = new ResizeObserver(() => go());
  const stop = () => {
    isDone = true;
    observer.disconnect();
    clearTimeout(timer);
    for (const input of INPUTS) removeEventListener(input, stop);
  };
  const go = () => {
    scrollTo(0, place);
    if (scrollY >= place - 1) stop();
  };
  const timer = setTimeout(stop, PATIENCE);
  for (const input of INPUTS) addEventListener(input, stop, { passive: true });
  observer.observe(document.body);
  go();
  return { isDone: () => isDone, stop };
}

/** Remembers how far each page of the history was scrolled: back and reload return there. A new page begins at its top. */
export function usePlace(): void {
  const { key, pathname, hash } = useLocation();
  const isNew = useNavigationType() === "PUSH";
  // Not an ordinary effect: before the next paint the browser would shorten the page, and its scroll event would be
  // taken for the place on the former page.
  useLayoutEffect(() => {
    history.scrollRestoration = "manual";
    const name = `plaudit.place ${key} ${pathname}${hash}`;
    const { isDone, stop } = scrollToPlace(isNew ? 0 : Number(sessionStorage.getItem(name)));
    const remember = () => {
      if (isDone()) sessionStorage.setItem(name, String(Math.round(scrollY)));
    };
    addEventListener("scroll", remember, { passive: true });
    return () => {
      removeEventListener("scroll", remember);
      stop();
    };
  }, [key, pathname, hash, isNew]);
}
