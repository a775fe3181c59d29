"""Reports, appeals, the moderation queue and its log, external reviews, traces of submissions, and word lists."""
