import { PlauditProvider } from "@plaudit/react";
import type { ReactNode } from "react";
import { useClient } from "urql";
import { languageOfPage, say } from "./language.tsx";
import { useSession } from "./session.tsx";
import "@plaudit/react/style.css";

/** Gives components of @plaudit/react the client, the person and the language of the app. */
export function Kit({ children }: { children: ReactNode }) {
  const { person } = useSession();
  const messages = `react = ${say("react", { kind: "{ $kind }" })}`;
  return <PlauditProvider client={useClient()} token={person?.token ?? null} language={languageOfPage()} messages={messages}>{children}</PlauditProvider>;
}
