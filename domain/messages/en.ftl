# Texts of notifications in English. All other languages have the same messages with the same variables.
#
# $name      the display name of the newest user who acted
# $others    how many further users acted
# $thing     the kind of content, a message `thing-…` of this file
# $reactions the reactions, as emoji or names
# $reason    the reason of a decision, as the moderator or the reviewer wrote it

somebody = Somebody
who =
    { $others ->
        [0] { $name }
        [one] { $name } and { $others } other
       *[other] { $name } and { $others } others
    }

like = { who } liked your { $thing }.
react = { who } reacted { $reactions } to your { $thing }.
react-unnamed = { who } reacted to your { $thing }.
repost = { who } reposted your { $thing }.
follow = { who } followed you.
follow-request = { who } asked to follow you.
follow-accepted = { who } accepted your request to follow.
comment = { who } commented on your { $thing }.
reply = { who } replied to your { $thing }.
quote = { who } quoted your { $thing }.
mention = { who } mentioned you in a { $thing }.
new-post = { who } published a new { $thing }.

# Decisions: notifications of the kinds MODERATION and REPORT.
rejected = Your { $thing } was rejected: { $reason }
appeal-granted = Your appeal was granted: { $reason }
appeal-denied = Your appeal was denied: { $reason }
suspended = A moderator suspended your account: { $reason }
held = What you wrote is not public until a moderator decides about it: { $reason }
comment-deleted = A moderator deleted your comment.
comment-deleted-by-owner = The owner of the post or object that you commented on deleted your comment.
collection-private = Your collection was made private: { $reason }
collection-free = You may make your collection public again: { $reason }
labeled = The automated moderation set a label on what you wrote: { $reason }
labels-set = A moderator set the labels of your { $thing } to { $labels }: { $reason }
labels-removed = A moderator removed the labels of your { $thing }: { $reason }
warned = A moderator warned you: { $reason }
report-accepted = Your report was accepted: { $reason }
report-dismissed = Your report was dismissed: { $reason }
report-moot = What you reported was deleted.
against-rules = against the rules

# Kinds of content. `thing-other` is for a business that has no message `thing-<name>`.
thing-other = { $thing }
thing-unknown = entry
