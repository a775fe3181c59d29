import type { AuditStatus, ModerationAction, ModerationRole, ModerationSource, ReportReason, Restriction, SuspensionMode } from "@plaudit/client";

export const SOURCES: Record<ModerationSource, string> = {
  RULES: "Held by a rule",
  WORDS: "Listed word",
  REVIEWER: "For review",
  REPORTS: "Reported",
  APPEALS: "Appeal",
  NOTICES: "Notice",
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
  LABELED: "Labels set",
};

/** What a statement of reasons with an appeal is about. */
export const RESTRICTIONS: Record<Restriction, string> = {
  HELD: "Post or comment held",
  REJECTED: "Post or comment rejected",
  DELETED: "Comment deleted",
  SUSPENDED: "Suspension",
  WARNED: "Warning",
  PROFILE_REJECTED: "Profile text or picture rejected",
  REPORT_DISMISSED: "Report dismissed",
  REPORT_ACCEPTED: "Report accepted",
  LABELED: "Labels set",
  MADE_PRIVATE: "Collection made private",
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

/** Reasons for a decision, which the author and the reporters read, if no ground is configured with reasons. */
export const REASONS = [
  "Spam or advertising",
  "Harassment or insults",
  "Hatred against a group of people",
  "Violence or threats",
  "Sexual content",
  "False information",
];
