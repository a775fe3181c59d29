import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useLocation } from "react-router";
import { say } from "./language.tsx";

const INITIAL = "default"; // as React Router names the first page of a history
let announced: string = history.state?.key ?? INITIAL; // the page whose heading needs no focus, or has had it

/**
 * The main heading of a screen, and its title in the browser. It takes the focus when a person comes from another
 * screen, so that a screen reader says where they are and the Tab key goes on from there. With `staysQuiet` it takes no
 * focus when only the query of its address changes.
 */
export function Heading({ title, hidden, staysQuiet, children }: { title: string; hidden?: boolean; staysQuiet?: boolean; children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isShown = useRef(false);
  const { key } = useLocation();
  // Not an ordinary effect: while a screen fades in, those wait, and the window would have the title of the former one.
  useLayoutEffect(() => {
    document.title = say("title", { title });
  }, [title]);
  useLayoutEffect(() => {
    const shown = heading.current;
    if (key !== announced) {
      announced = key;
      if (!(staysQuiet && isShown.current)) shown?.focus({ preventScroll: true });
    }
    isShown.current = true;
    return () => {
      if (document.activeElement === shown) announced = ""; // the heading that takes its place gets the focus
    };
  }, [key, staysQuiet]);
  return <h1 ref={heading} tabIndex={-1} className={hidden ? "hidden" : undefined}>{children ?? title}</h1>;
}
