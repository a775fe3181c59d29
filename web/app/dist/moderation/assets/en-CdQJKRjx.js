const n=`# Messages of the moderation console.

title = { $title } · Moderation
moderation = Moderation
skip = Skip to the content
main-navigation = Main
queue = Queue
log = Log
find-user = User
find = Find
handle-example = @handle
no-page = There is no such page.
no-user = There is no such user.
close = Close
separator = {", "}
in-brackets = {" "}({ $text })
until = until { $moment }
without-end = without an end
you-are-suspended = Your account is suspended { $end }. You can read, but not decide. Reason: { $reason }

## Sign in

signing-in = Signing in…
sign-in = Sign in
sign-out = Sign out
paste-token = Paste a token
or-paste-token = Or paste a token
use-token = Use this token
checking = Checking…
token-needs = The token needs the scope { $scope }. It is kept in this tab only, until you close the tab or sign out.
sign-in-ended = Your sign-in has ended
sign-in-again = Paste a new token: the page stays as it is, and what you have just decided is sent.
may-not-moderate = This token may not moderate. { $message }
token-expired = This token has expired. Sign in again for a new one.
no-answer = The API does not answer. Try again.
no-profile = Your profile cannot be read at the moment. Try again.

## The queue

cases = Cases
queue-empty = The queue is empty.
queue-not-loaded = The queue could not be loaded.
more-cases = More cases follow as you decide these.
previous = Previous (K)
next = Next (J)
case-of = Case { $at } of { $count }
not-in-list = Not in the list
resolved = Resolved
count-reports =
    { $count ->
        [one] { $count } report
       *[other] { $count } reports
    }

filter-status = Status
filter-source = Why
filter-kind = What
filter-assignment = Taken
filter-sort = Order
all = All
status-OPEN = Open
status-RESOLVED = Resolved
kind-POST = Posts
kind-COMMENT = Comments
kind-USER = Users
kind-ENTITY = Entities
kind-COLLECTION = Collections
assignment-ANY = By anyone
assignment-UNASSIGNED = Not by others
assignment-MINE = By me
sort-OLDEST = Oldest first
sort-NEWEST = Newest first
sort-MOST_REPORTED = Most reported

source-RULES = Held by a rule
source-WORDS = Listed word
source-REVIEWER = For review
source-REPORTS = Reported
source-APPEALS = Appeal
source-NOTICES = Notice

## A case

thing-Post = Post
thing-Comment = Comment
thing-User = User
thing-Entity = Entity
thing-Collection = Collection
thing-Topic = Topic
case-gone = This case is not in the queue any more.
decided-by-other = { $person }: { $action }{ $reason }, { $ago }.
why-PENDING = Why it waits:
why-REJECTED = Why it was rejected:
author-appeals = The author appeals:
earlier-decisions = Earlier decisions
look-again = Look at it again
taken-by-you = Taken by you
taken-by = Taken by { $name }
take = Take (T)
give-back = Give back (T)
reports = Reports
report-count = { $reason }: { $count }
more-reports = and { $count } more
notices = Notices of illegal content
trusted-flagger = Trusted flagger
without-name = Without a name

report-SPAM = Spam
report-HARASSMENT = Harassment
report-HATE = Hatred
report-VIOLENCE = Violence
report-SEXUAL = Sexual content
report-SELF_HARM = Self-harm
report-MISINFORMATION = False information
report-IMPERSONATION = Impersonation
report-INTELLECTUAL_PROPERTY = Intellectual property
report-ILLEGAL = Illegal
report-OTHER = Something else

author = Author
since = since { $date }
record-rejected = Rejected
record-warnings = Warnings
record-suspensions = Suspensions
record-reports = Reports accepted
record-own-reports = Own reports accepted
part = { $part } of { $whole }
history-of = History of @{ $handle }
warn-or-suspend = Warn or suspend (S)

## What a case is about

open-picture = Open the profile picture
picture-of = Profile picture of { $name }
no-text = (no text)
no-bio = (no bio)
deleted-comment = (deleted comment)
of-owner = of { $owner }
public-collection = Public collection
private-collection = Private collection
edited = edited
show-images = Show the images. They are known to be illegal.
above-on-post = On the post of { $author }
above-on-entity = On the { $business }
above-in-thread = In the thread of { $author }
above-in-reply = In reply to { $author }
state-PENDING = Waiting
state-APPROVED = Approved
state-REJECTED = Rejected
content = Content
content-gone = This does not exist any more.
decisions = Decisions
nothing-decided = Nothing was decided yet.

## Decisions

decision = Decision
approve = Approve (A)
reject = Reject (R)
make-private = Make private (R)
dismiss = Dismiss reports (D)
accept = Accept reports (E)
reason-label = Reason, which the author and the reporters read
usual = If you write none: “{ $against }”, or “{ $for }”
usual-reasons = Usual reasons
no-violation = We found no violation of the guidelines
violation = This breaks the guidelines
agreed = We agree with the report
reason-spam = Spam or advertising
reason-harassment = Harassment or insults
reason-hatred = Hatred against a group of people
reason-violence = Violence or threats
reason-sexual = Sexual content
reason-false = False information
another-moderator = Another moderator
faster = { $name } was faster: { $action } ({ $reason }).
done-approved = Approved: “{ $text }”
done-rejected = Rejected: “{ $text }”
done-made-private = Made private: “{ $text }”
done-dismissed = Reports dismissed: “{ $text }”
done-accepted = Reports accepted: “{ $text }”
undo = Undo (U)
sending = { $text } – sending…
not-done = Not done.

## The log

log-restricted = Your token is restricted to some businesses, so it cannot read the log.
log-empty = The log has no such line.
find-about = About the user
find-by = By the moderator
filter-user = About { $id }
filter-actor = By { $id }
filter-target = Target { $id }
remove-filter = remove this filter
by = by { $who }
about = about { $who }
without-effect = without effect
reason = Reason: { $reason }
only-about = Only about @{ $handle }
only-by = Only by @{ $handle }

action-HELD = Held
action-APPROVED = Approved
action-REJECTED = Rejected
action-DELETED = Deleted
action-REPORTS_ACCEPTED = Reports accepted
action-REPORTS_DISMISSED = Reports dismissed
action-SUSPENDED = Suspended
action-REINSTATED = Reinstated
action-WARNED = Warned
action-APPEAL_GRANTED = Appeal granted
action-APPEAL_DENIED = Appeal denied
action-SUSPENSION_ENDED = Suspension ended
action-TOPIC_HELD = Topic held
action-TOPIC_OPENED = Topic opened
action-LABELED = Labels set

role-MODERATOR = a moderator
role-OWNER = the owner of the post or entity
role-RULES = the rules
role-REVIEWER = the external reviewer
role-SYSTEM = Plaudit

## A user, suspensions

users-restricted = Your token is restricted to some businesses, so it cannot read about users.
user-not-loaded = The user could not be loaded.
registered = Registered { $ago }
public-collections = Public collections: { $names }
not-about-you = Another moderator decides about you.
newest-posts = Newest posts
no-posts = There are no posts.
suspended = Suspended { $end }: { $mode }. Reason: { $reason }
reason-for-user = Reason, which the user reads
ground = Ground
usual-ground = the usual one
suspended-user = A suspended user
mode-READ_ONLY = cannot write
mode-HIDDEN = cannot write, and is hidden from others
mode-SHADOW = is hidden from others, without notice
length = Length
days =
    { $count ->
        [0] without an end
        [1] a day
        [7] a week
        [365] a year
       *[other] { $count } days
    }
warn = Warn
suspend = Suspend
replace-suspension = Replace the suspension
lift = Lift the suspension
user-warned = The user is warned.
user-suspended = The user is suspended.
suspension-lifted = The suspension is lifted.

## Keys

keys = Keys
use-keys = Use these keys
key-next = next and previous case
key-approve = approve the post or comment
key-reject = reject it
key-dismiss = dismiss the reports
key-accept = accept the reports, without a change of the target
key-reason = choose a reason
key-take = take the case, or give it back
key-suspend = warn or suspend the author
key-undo = undo the last decision, for a few seconds
key-help = show these keys
`,o=Object.freeze(Object.defineProperty({__proto__:null,default:n},Symbol.toStringTag,{value:"Module"})),e=`# Messages of the parts that the demo app and the moderation console share. All languages have the same messages with
# the same variables. A test checks this.

language = Language
no-connection = There is no connection. Try again.
unknown-user = Unknown user
loading = Loading…
show-more = Show more
try-again = Try again
video = Video
audio = Audio
to-start = Go to the start page
not-loaded = This could not be loaded.
newest-not-loaded = The newest state could not be loaded.
some-unavailable = Some of this is temporarily unavailable. It appears as soon as it can be read.
all-unavailable = This is temporarily unavailable. It appears as soon as it can be read.

# What moderation says about one's own post or comment.
in-review = In review
own-status-PENDING = Publishing…
own-status-REJECTED = Rejected

# Counts. $count is \`unknown\` in a label for a number that could not be read, and a dash in its place in a text.
count-comments =
    { $count ->
        [unknown] comments: unknown
        [one] { $count } comment
       *[other] { $count } comments
    }
count-followers =
    { $count ->
        [unknown] followers: unknown
        [one] { $count } follower
       *[other] { $count } followers
    }
count-following =
    { $count ->
        [unknown] following: unknown
       *[other] { $count } following
    }
count-likes =
    { $count ->
        [unknown] likes: unknown
        [one] { $count } like
       *[other] { $count } likes
    }
count-posts =
    { $count ->
        [unknown] posts: unknown
        [one] { $count } post
       *[other] { $count } posts
    }
count-reactions =
    { $count ->
        [unknown] reactions: unknown
        [one] { $count } reaction
       *[other] { $count } reactions
    }
count-replies =
    { $count ->
        [unknown] replies: unknown
        [one] { $count } reply
       *[other] { $count } replies
    }
count-reposts =
    { $count ->
        [unknown] reposts: unknown
        [one] { $count } repost
       *[other] { $count } reposts
    }
count-saves =
    { $count ->
        [unknown] saves: unknown
        [one] { $count } save
       *[other] { $count } saves
    }
count-views =
    { $count ->
        [unknown] views: unknown
        [one] { $count } view
       *[other] { $count } views
    }
new-posts =
    { $count ->
        [one] Show { $count } new post
       *[other] Show { $count } new posts
    }
new-comments =
    { $count ->
        [one] Show { $count } new comment
       *[other] Show { $count } new comments
    }
`,t=Object.freeze(Object.defineProperty({__proto__:null,default:e},Symbol.toStringTag,{value:"Module"}));export{o as m,t as s};
