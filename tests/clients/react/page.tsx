// A page with the component that the address names, for the tests in test_components.py.
import {
  CollectionPicker,
  Comments,
  Composer,
  Feed,
  FollowButton,
  LikeButton,
  Notifications,
  PlauditProvider,
  Post,
  ReactionPicker,
} from "@plaudit/react";
import "@plaudit/react/style.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

const asked = new URLSearchParams(location.search);
const given = (name: string) => asked.get(name) ?? undefined;
const target = asked.get("target") ?? "";
document.documentElement.dir = given("dir") ?? "ltr";
document.documentElement.lang = given("language") ?? "en";

const PAGES: Record<string, () => React.ReactNode> = {
  like: () => <><LikeButton target={target} /><LikeButton target={target} /></>,
  follow: () => <FollowButton user={target} />,
  comments: () => <Comments subject={target} first={5} live={asked.has("realtime")} />,
  composer: () => <><Composer /><Feed feed={{ kind: "square" }} first={5} /></>,
  feed: () => <Feed feed={{ kind: "home" }} first={5} />,
  post: () => <Post post={target} />,
  reactions: () => <ReactionPicker target={target} />,
  collections: () => <CollectionPicker target={target} />,
  notifications: () => <Notifications />,
};

function onSignInNeeded() {
  document.title = "sign in";
}

createRoot(document.getElementById("app")!).render(
  <StrictMode>
    <PlauditProvider
      api={given("api")}
      token={asked.get("token")}
      language={given("language")}
      messages={given("messages")}
      options={{ attempts: Number(given("attempts") ?? 8) }}
      onSignInNeeded={asked.has("nobody") ? undefined : onSignInNeeded}
    >
      <h1>Page</h1>
      {PAGES[given("show") ?? "comments"]!()}
    </PlauditProvider>
  </StrictMode>,
);
