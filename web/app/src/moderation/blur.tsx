import type { AttachmentFileFragment } from "@plaudit/client";
import { createContext, type ReactNode, useContext, useState } from "react";
import { say } from "../language.tsx";
import { Attachments } from "../ui.tsx";

interface Blurring {
  isOn: boolean;
  change: (isOn: boolean) => void;
}

const Context = createContext<Blurring>({ isOn: false, change: () => undefined });

/** Keeps, for this tab, whether a moderator wants all images blurred. */
export function BlurProvider({ moderatorId, children }: { moderatorId: string; children: ReactNode }) {
  const key = `plaudit.moderation.blur.${moderatorId}`;
  const [isOn, setIsOn] = useState(sessionStorage.getItem(key) === "on");
  const change = (wanted: boolean) => {
    if (wanted) sessionStorage.setItem(key, "on");
    else sessionStorage.removeItem(key);
    setIsOn(wanted);
  };
  return <Context value={{ isOn, change }}>{children}</Context>;
}

export function BlurSwitch() {
  const { isOn, change } = useContext(Context);
  return <label><input type="checkbox" checked={isOn} onChange={(event) => change(event.target.checked)} /> {say("blur-all")}</label>;
}

/** Blurs an image until the moderator chooses to show it. Nothing records the choice. */
export function Blurred({ isKnown, children }: { isKnown: boolean; children: ReactNode }) {
  const { isOn } = useContext(Context);
  const [isShown, setIsShown] = useState(false);
  if (!isKnown && !isOn) return children;
  return (
    <div className="veil">
      <div className={isShown ? "" : "blurred"} inert={!isShown}>{children}</div>
      <button type="button" className="small" onClick={() => setIsShown(!isShown)}>{say(isShown ? "blur-image" : isKnown ? "show-known-image" : "show-image")}</button>
    </div>
  );
}

/** The images and other files of a text. Each is blurred on its own. `isKnown`: they are known to be illegal. */
export function Files({ files, isKnown }: { files: readonly AttachmentFileFragment[]; isKnown: boolean }) {
  if (!files.length) return null;
  return <div className="files">{files.map((file) => <Blurred key={file.url} isKnown={isKnown}><Attachments files={[file]} /></Blurred>)}</div>;
}
