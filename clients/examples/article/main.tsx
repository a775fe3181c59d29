import { Comments, LikeButton, PlauditProvider } from "@plaudit/react";
import "@plaudit/react/style.css";
import { createRoot } from "react-dom/client";
import { api, signIn, token } from "./session.ts";

createRoot(document.getElementById("app")!).render(
  <PlauditProvider api={api} token={token} onSignInNeeded={signIn}>
    <article>
      <h1>Four kinds of tea</h1>
      <LikeButton target="video:bv-003" />
    </article>
    <Comments subject="video:bv-003" />
  </PlauditProvider>,
);
