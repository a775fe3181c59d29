import { Suspense, useEffect, useState } from "react";
import { Icon } from "./icons.tsx";
import { say } from "./language.tsx";
import type { Outcome } from "./outcome.ts";
import { rare } from "./rare.ts";
import { useSession } from "./session.tsx";
import { toast } from "./toasts.tsx";

/** What a menu is about, and what else can be done with it. */
export interface MenuOf {
  targetId: string;
  user: { id: string; handle: string } | null;
  savable?: boolean;
  onEdit?: () => void;
  onDelete?: () => unknown;
  onDetach?: () => unknown;
  onHide?: () => Promise<Outcome>;
  onLess?: () => Promise<Outcome>;
}

const Actions = rare<MenuOf & { onClose: () => void }>(async () => (await import("./actions.tsx")).Actions, NoActions);

/** Says that what a person asked for could not be loaded, and closes it. */
export function NoActions({ onClose }: { onClose: () => void }) {
  useEffect(() => {
    toast(say("load-again"));
    onClose();
  }, [onClose]);
  return null;
}

/** A button that opens what else a person can do with a post, a comment or a user: mute, block, report, delete. */
export function Menu(of: MenuOf) {
  const { person } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  if (!person) return null;
  return (
    <>
      <button type="button" className="menu" aria-label={say("more")} aria-haspopup="dialog" onClick={() => setIsOpen(true)}><Icon name="more" /></button>
      {isOpen && <Suspense><Actions {...of} onClose={() => setIsOpen(false)} /></Suspense>}
    </>
  );
}
