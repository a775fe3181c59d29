import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter, Route, Routes } from "react-router";
import { startPage } from "./language.tsx";
import { rare } from "./rare.ts";
import { Home, Square, Topic } from "./screens/feeds.tsx";
import { NoPage } from "./screens/no-page.tsx";
import { Post } from "./screens/post.tsx";
import { SessionProvider } from "./session.tsx";
import { Shell } from "./shell.tsx";
import "./style.css";
import "./frame.css";
import "./layers.css";
import "./states.css";

const Account = rare(async () => (await import("./screens/account.tsx")).Account);
const Boundaries = rare(async () => (await import("./screens/boundaries.tsx")).Boundaries);
const Collection = rare(async () => (await import("./screens/favourites.tsx")).Collection);
const Entity = rare(async () => (await import("./screens/entity.tsx")).Entity);
const Favourites = rare(async () => (await import("./screens/favourites.tsx")).Favourites);
const Filters = rare(async () => (await import("./screens/filters.tsx")).Filters);
const Notifications = rare(async () => (await import("./screens/notifications.tsx")).Notifications);
const Profile = rare(async () => (await import("./screens/profile.tsx")).Profile);
const Search = rare(async () => (await import("./screens/search.tsx")).Search);
const SignIn = rare(async () => (await import("./screens/sign-in.tsx")).SignIn);
const Settings = rare(async () => (await import("./screens/settings.tsx")).Settings);
const Topics = rare(async () => (await import("./screens/topics.tsx")).Topics);

const root = createRoot(document.getElementById("app")!);
startPage(import.meta.glob("../languages/*/{shared,app}.ftl", { query: "?raw", import: "default" }), () => root.render(
  <StrictMode>
    <SessionProvider>
      <BrowserRouter>
        <Routes>
          <Route element={<Shell />}>
            <Route index element={<Home />} />
            <Route path="square" element={<Square />} />
            <Route path="search" element={<Search />} />
            <Route path="topics" element={<Topics />} />
            <Route path="topics/:name" element={<Topic />} />
            <Route path="posts/:id" element={<Post />} />
            <Route path="entities/:id" element={<Entity />} />
            <Route path="users/:handle" element={<Profile />} />
            <Route path="account" element={<Account />} />
            <Route path="settings" element={<Settings />} />
            <Route path="boundaries" element={<Boundaries />} />
            <Route path="filters" element={<Filters />} />
            <Route path="notifications" element={<Notifications />} />
            <Route path="favourites" element={<Favourites />} />
            <Route path="collections/:id" element={<Collection />} />
            <Route path="sign-in" element={<SignIn />} />
            <Route path="*" element={<NoPage />} />
          </Route>
        </Routes>
      </BrowserRouter>
    </SessionProvider>
  </StrictMode>,
));
