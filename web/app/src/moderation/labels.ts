import type { SuspensionMode } from "@plaudit/client";

/** Reasons for a decision, which the author and the reporters read: messages `reason-…`. The keys 1 to 6 choose one. */
export const REASONS = ["spam", "harassment", "hatred", "violence", "sexual", "false"];

/** What a suspension does: messages `mode-…`. */
export const MODES: SuspensionMode[] = ["READ_ONLY", "HIDDEN", "SHADOW"];
