import type { AuditStatus, ModerationAction, ModerationRole, ModerationSource, ReportReason, SuspensionMode } from "@plaudit/client";

export const SOURCES: Record<ModerationSource, string> = {
  RULES: "Held by a rule",
  WORDS: "Listed word",
  REVIEWER: "For review",
  REPORTS: "Reported",
  APPEALS: "Appeal",
};

export const REPORTS: Record<ReportReason, string> = {
  SPAM: "Spam",
  HARASSMENT: "Harassment",
  HATE: "Hatred",
  VIOLENCE: "Violence",
  SEXUAL: "Sexual content",
  SELF_HARM: "Self-harm",
  MISINFORMATION: "False information",
  IMPERSONATION: "Impersonation",
  INTELLECTUAL_PROPERTY: "Intellectual property",
  ILLEGAL: "Illegal",
  OTHER: "Something else",
};

export const ACTIONS: Record<ModerationAction, string> = {
  HELD: "Held",
  APPROVED: "Approved",
  REJECTED: "Rejected",
  DELETED: "Deleted",
  REPORTS_ACCEPTED: "Reports accepted",
  REPORTS_DISMISSED: "Reports dismissed",
  SUSPENDED: "Suspended",
  REINSTATED: "Reinstated",
  WARNED: "Warned",
  APPEAL_GRANTED: "Appeal granted",
  APPEAL_DENIED: "Appeal denied",
  SUSPENSION_ENDED: "Suspension ended",
  TOPIC_HELD: "Topic held",
  TOPIC_OPENED: "Topic opened",
  LABELED: "Labeled",
};

export const ROLES: Record<ModerationRole, string> = {
  MODERATOR: "a moderator",
  OWNER: "the owner of the post or entity",
  RULES: "the rules",
  REVIEWER: "the external reviewer",
  SYSTEM: "Plaudit",
};

export const STATES: Record<AuditStatus, string> = { PENDING: "Waiting", APPROVED: "Approved", REJECTED: "Rejected" };

export const MODES: Record<SuspensionMode, string> = {
  READ_ONLY: "cannot write",
  HIDDEN: "cannot write, and is hidden from others",
  SHADOW: "is hidden from others, without notice",
};

/** Reasons for a decision, which the author and the reporters read. The keys 1 to 6 choose one. */
export const REASONS = [
  "Spam or advertising",
  "Harassment or insults",
  "Hatred against a group of people",
  "Violence or threats",
  "Sexual content",
  "False information",
];
