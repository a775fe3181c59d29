import { type FormEvent, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { Discover } from "./discover.tsx";
import { Icon } from "./icons.tsx";
import { say } from "./language.tsx";

/** The third column of a wide window: a search, trends, and whom to follow. It stays when the screen changes, so it is read once. */
export function Side() {
  const { pathname } = useLocation();
  return (
    <aside className="side" aria-label={say("discover")}>
      {pathname !== "/search" && <Search />}
      <Discover />
    </aside>
  );
}

/** A search from any screen. The screen of the search has its own field. */
function Search() {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!text.trim()) return;
    navigate(`/search?${new URLSearchParams({ q: text.trim() })}`);
    setText("");
  };
  return (
    <form role="search" onSubmit={send}>
      <Icon name="search" />
      <input type="search" dir="auto" aria-label={say("search-for")} placeholder={say("search-words")} maxLength={200} autoCapitalize="none" value={text} onChange={(event) => setText(event.target.value)} />
    </form>
  );
}
