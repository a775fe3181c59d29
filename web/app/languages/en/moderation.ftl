# Messages of the moderation console.

title = { $title } · Moderation
moderation = Moderation
skip = Skip to the content
main-navigation = Main
queue = Queue
log = Log
transparency = Transparency
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
token-needs = The token needs the scope { $scope } or a role in moderation. It is kept in this tab only, until you close the tab or sign out.
sign-in-ended = Your sign-in has ended
sign-in-again = Paste a new token: the page stays as it is, and what you have just decided is sent.
may-not-moderate = { $name } may not moderate: this account has no role in moderation. Ask the person who manages your accounts, or sign in with another account.
token-expired = This token has expired. Sign in again for a new one.
no-answer = The API does not answer. Try again.
no-profile = Your profile cannot be read at the moment. Try again.

issuer-down = The sign-in service does not answer. Try again.
issuer-ended = The sign-in service has ended your sign-in. Sign in again.
issuer-refuses = The sign-in service refuses: { $message }
issuer-foreign = This answer of the sign-in service is not for this tab. Sign in again.
sign-in-failed = The sign-in failed: { $message }
signed-out-here = You are signed out here. The sign-in service does not answer, so you may still be signed in there.
trying-again-keeps = If you try again, the page stays as it is, and what you have just decided is sent.
signing-in-loads = The page is loaded anew when you sign in. Decisions that are not sent are lost.

## The queue

cases = Cases
queue-empty = The queue is empty.
queue-not-loaded = The queue could not be loaded.
more-cases = More cases follow as you decide these.
show-cases = Show { $count } cases
all-shown = All shown
choose-case = Choose “{ $text }”
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

source-RULES = Stopped by a rule
source-WORDS = Listed word
source-REVIEWER = For review
source-REPORTS = Reported
source-APPEALS = Appeal
source-NOTICES = Notice

saved-queues = Saved queues
save-filters = Save these filters
change-queue = Change “{ $name }”
queue-name = Name of the queue
save = Save
rename = Rename
delete-queue = Delete the saved queue

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

due = Due { $when }
overdue = Overdue: due { $when }
appeals = Appeals
appeal = Appeal
facts = Facts
no-ground = None is named
no-facts = None are named
own-decision = You made this decision. Another moderator must decide about the appeal.
reason-for-appeal = Reason for the decision about the appeal, which the person reads
grant = Grant the appeal
deny = Deny the appeal
appeal-GRANT = Appeal granted: { $what }
appeal-DENY = Appeal denied: { $what }

# What a statement of reasons with an appeal is about.
restriction-HELD = Post or comment waits for review
restriction-REJECTED = Post or comment rejected
restriction-DELETED = Comment deleted
restriction-SUSPENDED = Suspension
restriction-WARNED = Warning
restriction-PROFILE_REJECTED = Profile text or picture rejected
restriction-REPORT_DISMISSED = Report dismissed
restriction-REPORT_ACCEPTED = Report accepted
restriction-LABELED = Labels set
restriction-MADE_PRIVATE = Collection made private

hold = Private collection
held-private = A moderator has made this collection private. Its owner cannot make it public.
reason-for-lifting = Reason why the collection may be public again, which the owner reads

labels = Labels
labels-of-moderators = Labels of moderators
reason-for-labels = Reason for the labels, which the author reads
set-labels = Set labels
labels-set = The labels are set.
earlier-versions = Earlier versions
versions-not-loaded = The earlier versions could not be loaded.
no-versions = There are no earlier versions.
written = Written { $ago }

## What a case is about

open-picture = Open the profile picture
picture-of = Profile picture of { $name }
no-text = (no text)
no-bio = (no bio)
deleted-comment = (deleted comment)
of-owner = of { $owner }
public-collection = Public collection
private-collection = Private collection
blur-all = Blur all images
blur-image = Blur this image
show-image = Show this image
show-known-image = Show this image. It is known to be illegal.
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
log-unread = The console cannot read the log. Your decision may replace the decision of another moderator.
decide-approve = Approve (A)
decide-reject = Reject (R)
decide-hide = Make private (R)
decide-dismiss = Dismiss reports (D)
decide-accept = Accept reports (E)
decide-lift = Let it be public again
reason-label = Reason, which the author and the reporters read
usual = If you write none: “{ $against }”, or “{ $for }”
usual-one = If you write none: “{ $reason }”
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
done-approve = Approved: “{ $text }”
done-reject = Rejected: “{ $text }”
done-hide = Made private: “{ $text }”
done-dismiss = Reports dismissed: “{ $text }”
done-accept = Reports accepted: “{ $text }”
done-lift = May be public again: “{ $text }”
undo = Undo (U)
sending-all = { $text } – sent: { $count } of { $total }
sending = { $text } – sending…
not-done = Not done.
because = { $text } – { $problem }
because-about = “{ $text }” – { $problem }
summary = { $text }. Done: { $done }. Not done: { $failed }.

# One decision about several cases.
decision-about-chosen = Decision about the chosen cases
chosen-cases =
    { $count ->
        [one] { $count } case is chosen.
       *[other] { $count } cases are chosen.
    }
most-chosen = These are the most that one decision can be about.
choose-none = Choose none
reason-for-all = Reason for all of them, which the authors and the reporters read
does-not-fit = This decision does not fit this kind of case.
decide-all-approve = Approve all
decide-all-reject = Reject all
decide-all-dismiss = Dismiss all reports
decide-all-accept = Accept all reports
done-all-approve =
    { $count ->
        [one] Approved: { $count } case
       *[other] Approved: { $count } cases
    }
done-all-reject =
    { $count ->
        [one] Rejected: { $count } case
       *[other] Rejected: { $count } cases
    }
done-all-dismiss =
    { $count ->
        [one] Reports dismissed: { $count } case
       *[other] Reports dismissed: { $count } cases
    }
done-all-accept =
    { $count ->
        [one] Reports accepted: { $count } case
       *[other] Reports accepted: { $count } cases
    }

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

action-HELD = Waits for review
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
action-TOPIC_HELD = Topic unlisted
action-TOPIC_OPENED = Topic listed again
action-LABELED = Labels set

role-MODERATOR = a moderator
role-OWNER = the owner of the post or entity
role-RULES = the rules
role-REVIEWER = the external reviewer
role-SYSTEM = Plaudit

## Transparency

transparency-restricted = Your token is restricted to some businesses, so it cannot read these counts.
from = From
until-day = Until, without this day
count = Count
counting = Counting…
download-csv = Download CSV
days-are-utc = Days are UTC. At most 366 days. For a longer period or very many decisions, use { $command }.
counts-not-loaded = The counts could not be loaded.
indicator = Indicator
category = Category
value = Value
every-category = all
unit-NUMBER = { $value }
unit-SECONDS = { $value } seconds

# The parts and indicators of the report. The CSV has the same names in English.
counted-notices = notices
counted-reports-of-users = reports of users
counted-restrictions = restrictions
counted-automated-means = automated means
counted-own-initiative = own initiative
counted-statements-of-reasons = statements of reasons
counted-complaints = complaints
counted-suspensions = suspensions
counted-notices-received = notices received
counted-notices-by-trusted-flaggers = notices by trusted flaggers
counted-notices-by-state = notices by state
counted-notices-accepted = notices accepted
counted-notices-decided-by-automated-means = notices decided by automated means
counted-median-time-to-decision = median time to decision
counted-reports-received = reports received
counted-reports-accepted = reports accepted
counted-reports-dismissed = reports dismissed
counted-statements-about-automated-decisions = statements about automated decisions
counted-appeals-received = appeals received
counted-appeals-decided = appeals decided
counted-decisions-reversed = decisions reversed
counted-restrictions-by-automated-means = restrictions by automated means
counted-restrictions-on-own-initiative = restrictions on own initiative
counted-own-initiative-found-by-automated-means = own initiative found by automated means
counted-median-time-since-publication = median time since publication
counted-suspensions-ended-early = suspensions ended early

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
