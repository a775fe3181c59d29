/** The messages in English, in the syntax of Fluent. All languages have the same messages with the same variables. */
export const en = `
like = Like
reactions = Reactions
react = React with { $kind }
follow = Follow
following = Following
requested = Requested
follow-whom = Follow { $name }
sign-in-first = Sign in first
sign-in-to-comment = Sign in to comment
state-unknown = Your choice could not be loaded

comments = Comments
order = Order of comments
hot = Popular
newest = Newest
oldest = Oldest
no-comments = No comments yet. Write the first one.
cannot-comment = You cannot comment here.
subject-missing = There is nothing here to comment on.
add-comment = Add a comment
write-reply = Write a reply to { $name }
send = Send
cancel = Cancel
sending = Sending…
reply = Reply
replies = Replies
edit = Edit
edit-comment = Edit the comment
save-edit = Save
edited = edited
characters-left = Characters left: { $count }
delete = Delete
deleted = Deleted
comment-deleted = This comment was deleted.
pinned = Pinned
unknown-user = Unknown user

loading = Loading…
show-more = Show more
try-again = Try again
not-loaded = This could not be loaded.
newest-not-loaded = The newest state could not be loaded.
some-unavailable = Some of this is temporarily unavailable. It appears as soon as it can be read.
all-unavailable = This is temporarily unavailable. It appears as soon as it can be read.
video = Video
audio = Audio

in-review = In review
own-status-PENDING = Publishing…
own-status-REJECTED = Rejected
show-anyway = Show anyway
hide-again = Hide again

count-likes =
    { $count ->
        [unknown] likes: unknown
        [one] { $count } like
       *[other] { $count } likes
    }
count-comments =
    { $count ->
        [unknown] comments: unknown
        [one] { $count } comment
       *[other] { $count } comments
    }
count-replies =
    { $count ->
        [unknown] replies: unknown
        [one] { $count } reply
       *[other] { $count } replies
    }
count-reactions =
    { $count ->
        [unknown] reactions: unknown
        [one] { $count } reaction
       *[other] { $count } reactions
    }
new-comments =
    { $count ->
        [one] Show { $count } new comment
       *[other] Show { $count } new comments
    }

new-post = New post
text-of-post = Text of the post
publish = Publish
add-files = Add files
description = What the file shows
uploading = Uploading { $name }
remove-file = Remove { $name }
file-unreadable = This file cannot be read.
published = Published
posts = Posts
no-posts = There are no posts yet.
post-missing = This post does not exist, or you may not see it.
quoted-post = Quoted post

notifications = Notifications
no-notifications = There are no notifications.
mark-all-read = Mark all as read
unread = Unread

report = Report
report-title = Report this
report-reason = What is wrong?
report-note = Note for the moderators
report-SPAM = Spam
report-HARASSMENT = Harassment
report-HATE = Hate
report-VIOLENCE = Violence
report-MISINFORMATION = Misinformation
report-SEXUAL = Sexual content
report-SELF_HARM = Self-harm
report-IMPERSONATION = Impersonation
report-INTELLECTUAL_PROPERTY = Intellectual property
report-ILLEGAL = Illegal content
report-OTHER = Something else
report-send = Send report
reported = Thank you. Moderators will look at it.
close = Close

save = Save
save-in = Save in a collection
no-collections = You have no collections yet.
new-collection = New collection
create = Create
saved-in = Saved in { $name }

problem-NO_CONNECTION = There is no connection. Try again.
problem-RATE_LIMITED = You are doing this too often. Try again later.
problem-UNAVAILABLE = This does not work at the moment. Try again later.
problem-INTERNAL = Something went wrong. Try again.
problem-BLOCKED = A block between you and this user does not allow it.
problem-SUSPENDED = Your account is suspended.
problem-COMMENTS_CLOSED = Comments are closed.
problem-EDIT_WINDOW_OVER = This comment is too old to be edited.
problem-TARGET_DELETED = This was deleted.
problem-TARGET_NOT_FOUND = This does not exist any more.
`;
