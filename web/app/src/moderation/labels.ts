import type { SuspensionMode } from "@plaudit/client";

/**
 * Reasons for a decision, which the author and the reporters read, if no ground is configured with reasons: messages
 * `reason-…`.
 */
export const REASONS = ["spam", "harassment", "hatred", "violence", "sexual", "false"];

/** What a suspension does: messages `mode-…`. */
export const MODES: SuspensionMode[] = ["READ_ONLY", "HIDDEN", "SHADOW"];
