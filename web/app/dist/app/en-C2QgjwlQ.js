const e=`# Messages of the demo app.

title = { $title } · Plaudit demo
skip = Skip to the content
main-navigation = Main
home = Home
square = Square
search = Search
favourites = Favourites
profile = Profile
moderation = Moderation
notifications = Notifications
topics = Topics
posts = Posts
comments = Comments
account = Account
discover = Discover
unread =
    { $count ->
        [unknown] unread: unknown
       *[other] { $count } unread
    }
signed-in-as = Signed in as
not-signed-in = Not signed in
not-signed-in-hint = You are not signed in. To like, comment and publish, choose a person of the demo.
sign-in-first = Sign in first
sign-out = Sign out
sign-in = Sign in
choose-person = Choose who you are
sign-in-means = This is a demo. Choose somebody of its community, and you have their follows, posts and notifications.
demo-people = People of the demo
about-moderator = Decides about reports in the moderation console.
somebody-else = Somebody else
somebody-else-means = Type the handle of anybody whom you see in the demo.
handle = Handle
write = Post
behind-this = The GraphQL behind this
open-in-graphiql = Open in GraphiQL
page-not-loaded = Not loaded
load-again = This page could not be loaded. Load it again.
not-found = Not found
no-page = There is no page at this address.
close = Close
remove = Remove
delete = Delete
deleted = Deleted
create = Create
all = All
order = Order
newest = Newest
hot = Hot
best = Best
or = {" or "}
unavailable = This is temporarily unavailable.
no-longer-available = This is no longer available.
did-not-work = This did not work. Try again.
undo = Undo
undone = Undone.
unfollowed = You no longer follow { $name }.
removed = Removed.
detached-now = Your post is no longer in this quote.
back = Back
find-people = Find people to follow
find-topics = Find topics
see-square = See what everybody posts
saved-means = Press the star below a post to find it here again.

## The panel "The GraphQL behind this"

close-panel = Close the panel
panel-width = Width of the panel
clear = Clear
nothing-sent = The app has sent nothing since then.
total-operations = operations
total-points = points
total-redis = round trips to Redis
total-sql = queries to Postgres
kind-query = Query
kind-mutation = Mutation
kind-subscription = Subscription
state-waiting = waits…
state-network = from the API
state-kit = from the kit’s cache
state-kit-first = cache, then API
state-browser = browser’s cache
state-unchanged = 304, unchanged
state-live = live
state-ended = ended
state-degraded = values missing
state-failed = failed
state-repeated = tried again
figure-points =
    { $count ->
        [one] { $count } point
       *[other] { $count } points
    }
figure-redis = Redis { $count }
figure-sql = Postgres { $count }
figure-events =
    { $count ->
        [one] { $count } event
       *[other] { $count } events
    }
figure-time = { $time } ms
figure-bytes =
    { $count ->
        [one] { $count } byte
       *[other] { $count } bytes
    }
unchanged-means = the browser had this answer, and the API says that it has not changed
browser-means = the browser had this answer, and did not ask the API
kit-means = the client kit had all values, and did not ask the API
failed-with = It failed: { $problem }
values-missing = Missing, and marked as missing in the answer:
sent-by-id = Sent as its id
persisted-id = Persisted id
id = the id
variables = Variables
operation-text = Operation
copy = Copy
copied = Copied
copy-what = Copy: { $what }

## The failure switch

failure-switch = Failure switch
store-redis = Redis
store-postgres = Postgres
keeps-redis = state, caches, feeds
keeps-postgres = all data
store-running = runs
store-stopped = stopped
store-starting = starts…
stop-store = Stop { $store }
start-store = Start { $store }
store-is-stopped = { $store } is stopped. The app goes on without it.
store-starts = { $store } starts…
what-you-see = What you see while a store is stopped
without-store = Without { $store }
redis-down-first = For about five seconds, likes, comments and posts are refused. Lists come from Postgres, as far as it keeps up.
redis-down-then = Then likes, comments and posts go directly to Postgres, and the page works again.
redis-down-live = Nothing changes live: counts and new posts appear when you load the page again. Nobody is suggested.
redis-down-back = After the start, writes go through Redis again within two seconds. The caches are empty at first: see the queries to Postgres.
postgres-down-reads = What is cached can be read: most lists and profiles that were shown recently. Other values are missing, and the panel names them.
postgres-down-writes = Likes, follows, comments and posts are accepted, and wait in journals in Redis. If the profile of the user is not cached, they are refused.
postgres-down-sign-in = Changes of the profile, the deletion and the export of the account fail.
postgres-down-back = After the start, a worker stores what waits in the journals. Nothing is lost.

## Posts

post = Post
post-of = Post of { $name }
post-not-loaded = This post could not be loaded.
post-missing = This post does not exist, or you may not see it.
like = Like
repost = Repost
quote = Quote
favourite = Favourite
choice-unknown = Your choice is not known now
from-topic = From { $topic }
reposted-by =
    { $others ->
        [0] Reposted by { $user }
       *[other] Reposted by { $user } and { $others } more
    }
quoted-post = Quoted post
quote-not-loaded = The quoted post could not be loaded.
quote-REMOVED_BY_AUTHOR = Its author has removed the quoted post from here.
quote-DELETED = The quoted post was deleted.
quote-NOT_VISIBLE = You may not see the quoted post.
quote-NESTED = Open the post to see what it quotes.
post-with-images = A post with images
picture-number = Picture { $number }
picture-of = Picture { $number } of { $count }
previous-picture = Previous picture
next-picture = Next picture
pinned = Pinned
reactions = Reactions
react = React { $kind }

## Writing

new-post = New post
new-quote = New quote
text-of-post = Text of the post
text-of-quote = Text of the quote
what-is-new = What is new? Use #topics.
publish = Publish
published = Published.
no-files-now = Files cannot be added now.
add-files = Add files
file-unreadable = This file cannot be read.
file-shows = What the file shows
description = Description
drop-here = Drop the files here
uploading = Uploading { $name }
remove-file = Remove { $name }
characters-left = Characters left: { $count }
too-long =
    { $count ->
        [one] { $count } character too many
       *[other] { $count } characters too many
    }
wait-for-files = Wait until the files are uploaded.
nothing-to-publish = Write a text or add a file.
suggestions = Suggestions
suggestion-count =
    { $count ->
        [one] { $count } suggestion
       *[other] { $count } suggestions
    }

## Comments

order-of-comments = Order of comments
add-comment = Add a comment
cannot-comment = You cannot comment here.
no-comments = Nobody has commented yet.
text-of-comment = Text of the comment
comment-deleted = This comment was deleted.
send = Send
reply = Reply
replies = Replies
no-replies = There are no replies.
write-reply = Write a reply

## The menu of a post, comment or user

more = More
actions = Actions
edit = Edit
detach = Remove my post from this quote
mute-user = Mute @{ $handle }
muted-now = You no longer see @{ $handle }.
block-user = Block @{ $handle }
blocked-now = You have blocked @{ $handle }.
report = Report
report-note = Note for the moderators (optional)
reported = Thank you. A moderator looks at it.
report-SPAM = Spam
report-HARASSMENT = Harassment
report-HATE = Hatred
report-VIOLENCE = Violence
report-MISINFORMATION = False information
report-OTHER = Something else
save-in = Save in a collection
saved-in = Saved in { $name }.

## Lists of posts

your-topics = Topics that you follow
home-empty = Follow somebody to see posts here.
all-posts = All posts
no-posts-yet = There are no posts yet.
posts-about = Posts about { $topic }
topic-empty = Nobody has posted about this yet.
topics-in-home = Show some of their posts in Home
posts-of-topics = Posts of your topics
topics-empty = Follow a topic to see its posts here.
followed-topics = Followed topics
follows-no-topics = You follow no topics.

## Discover

discover-not-loaded = Suggestions and trends could not be loaded.
trends = Trends
no-trends = Nothing trends today.
authors-write =
    { $count ->
        [one] { $count } author writes about it
       *[other] { $count } authors write about it
    }
who-to-follow = Who to follow
no-suggestions = There are no suggestions now.
do-not-suggest = Do not suggest @{ $handle }
suggested-similar = Likes posts that you like
suggested-popular = Popular in #{ $topic }
suggested-popular-somewhere = Popular in a topic that you follow
suggested-new = New here
suggested-followed-by-some = Followed by users whom you follow
suggested-followed =
    { $others ->
        [0] Followed by { $name }
       *[other] Followed by { $name } and { $others } more
    }

## Search

search-for-query = Search: { $query }
search-for = Search for
search-words = Words, names, topics
kinds-of-results = Kinds of results
tab-people = People
tab-posts = Posts
tab-topics = Topics
tab-videos = Videos
people-found = People found
posts-found = Posts found
topics-found = Topics found
videos-found = Videos found
nothing-found = Nothing was found.
results = Results: { $count }
results-or-more = Results: { $count } or more
how-to-search = How to search
operator-words = posts with both words, in any order
operator-phrase = posts with these words one after the other
operator-from = posts of a user
operator-topic = posts about a topic
operator-days = posts of these days
operator-images = posts with images

## Entities

entity = Entity
entity-missing = This does not exist, or you may not see it.
liked-by = Liked by
likers = Likers
no-likers = Nobody likes this yet.

## Users

profile-not-loaded = This profile could not be loaded.
user-missing = This user does not exist, or you may not see them.
follow = Follow
follow-whom = Follow { $name }
mute = Mute
block = Block
notify-me = Notify me of posts
requested = Requested
relation-unknown = It is not known now whether you { $what } @{ $handle }.
unknown-follow = follow
unknown-mute = mute
unknown-block = block
pinned-posts = Pinned posts
account-private = This account is private.
no-posts = No posts yet.
sign-in-as = Sign in as this user
only-demo-people = You can sign in only as people of the demo data.
edit-profile = Edit profile
settings = Settings
private-account = Private
joined = Joined { $date }
parts-of-profile = Parts of the profile
profile-posts = Posts
profile-likes = Likes
profile-collections = Collections
profile-followers = Followers
profile-following = Following
likes-nothing = No likes yet.
no-public-collections = There are no public collections.
no-followers = Nobody follows this user yet.
follows-nobody = This user follows nobody yet.
display-name = Name
bio = About you
private-means = Private account: only followers see your posts, likes and lists
new-picture = New picture
remove-picture = Remove the picture
handle-stays = The API can change the handle, @{ $handle }, too. This demo cannot, because you sign in with it.
cancel = Cancel
save = Save
boundaries = Blocked and muted users
blocked = Blocked
blocked-users = Blocked users
blocked-nobody = You have blocked nobody.
unblock = Unblock
muted = Muted
muted-users = Muted users
muted-nobody = You have muted nobody.
unmute = Unmute

## Notifications, favourites

mark-all-read = Mark all as read
no-notifications = Nothing has happened yet.
saved-nothing = You have saved nothing yet.
collection = Collection
collections = Collections
new-collection = New collection
new-collection-name = Name of a new collection
is-private = (private)
public = Public
private = Private
items = Items
collection-empty = This collection is empty.
collection-missing = This collection does not exist, or you may not see it.

## Settings

privacy = Privacy
edit-profile-what = Your name, your picture, and what you write about yourself
who-may-quote = Who may quote your posts
quotes-EVERYONE = Everybody
quotes-FOLLOWERS = Your followers
quotes-NOBODY = Nobody
boundaries-what = Who cannot reach you, and whom you do not see
filters-what = Labels, words and single posts that you do not want to see
language-what = Of this page, and of the notifications
your-data = Your data
account-what = Decisions about you, the download of your data, and the deletion of the account
not-read = Not read
notify-LIKE = Reactions to what you wrote
notify-FOLLOW = New followers
notify-COMMENT = Comments
notify-REPLY = Replies to your comments
notify-MENTION = Mentions
notify-MODERATION = Decisions of moderators
notify-FOLLOW_REQUEST = Requests to follow you
notify-FOLLOW_ACCEPTED = Accepted requests
notify-REPORT = Answers to your reports
notify-REPOST = Reposts
notify-QUOTE = Quotes
notify-NEW_POST = New posts of users whom you have chosen

## The account

searches-find-me = Searches find me
download = Download your data
download-has = You get a file with your profile, posts, comments, likes and other data about you.
download-ready = Your file is ready: { $file }. The link is valid until { $moment }.
delete-account = Delete the account
delete-means = As soon as you press the button, nobody else sees your account, posts and comments. For some time you can restore everything: the next page says until when. After that, your profile, likes, follows, favourites and notifications are removed for ever.
delete-what = What happens to your posts and comments after that?
delete-ANONYMIZE = Keep them without your name. Their author is shown as “Deleted user”.
delete-ERASE = Remove them. A comment with replies keeps its place, without text and author.
delete-confirm = To confirm, type your handle, { $handle }
will-be-deleted = This account will be deleted on { $moment }
was-deleted = This account was deleted
deleted-means = Nobody else sees your account, posts and comments. Until then, you can restore everything.
deleted-ANONYMIZE = Afterwards your data is removed. Your posts and comments stay without your name.
deleted-ERASE = Afterwards your data is removed. Your posts and comments are removed, too.
restore = Restore the account

## Warnings, filters

uncover = Show it
cover = Cover it
warnings = Warnings
content-warning = What you warn of
labels = Labels
filters = Content filters
visibility-SHOW = Show
visibility-WARN = Warn first
visibility-HIDE = Hide
fixed-by-age = fixed for your age
muted-words = Muted words
muted-words-mean = You do not see posts, comments and notifications with these words. Your own posts stay.
word = Word
how-long = How long
for-days =
    { $count ->
        [0] Without an end
        [one] For a day
       *[other] For { $count } days
    }
no-muted-words = You have muted no words.
unmute-word = Unmute { $word }
until = Until { $moment }
hide = Hide this post
hidden-now = You no longer see this post in lists.
less = Show less like this
less-now = You see fewer posts like this.
hidden-post = You have hidden this post of { $author }
show-again = Show it again
hidden-posts = Hidden posts
no-hidden-posts = You have hidden no posts.

## Restrictions and appeals

restrictions = Decisions about you
no-restrictions = Nobody has restricted your account or what you wrote.
restriction-HELD = What you wrote waits for review
restriction-REJECTED = What you wrote was rejected
restriction-DELETED = What you wrote was deleted
restriction-SUSPENDED = Your account is suspended
restriction-WARNED = A moderator warned you
restriction-PROFILE_REJECTED = A text of your profile was rejected
restriction-REPORT_DISMISSED = Your report was dismissed
restriction-REPORT_ACCEPTED = Your report was accepted
restriction-LABELED = A moderator labelled what you wrote
restriction-MADE_PRIVATE = Your collection was made private
ended = No longer in force
ground = Ground:
found-by-REPORTS = Found by reports of users.
found-by-AUTOMATED = Found by automated means.
found-by-NOTICE = Found by a notice of illegal content.
found-by-OWN_INITIATIVE = Found by our own review.
automated = The decision was automated.
why-wrong = Why the decision is wrong
appeal = Appeal
appeal-until = You can appeal until { $moment }.
appeal-OPEN = You have appealed. A moderator decides:
appeal-GRANTED = Your appeal was granted:
appeal-DENIED = Your appeal was denied:
appeal-MOOT = Your appeal ended without a decision:
`,o=Object.freeze(Object.defineProperty({__proto__:null,default:e},Symbol.toStringTag,{value:"Module"})),n=`# Messages of the parts that the demo app and the moderation console share. All languages have the same messages with
# the same variables. A test checks this.

language = Language
language-not-loaded = The language could not be loaded.
no-connection = There is no connection. Try again.
edited = edited
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
`,t=Object.freeze(Object.defineProperty({__proto__:null,default:n},Symbol.toStringTag,{value:"Module"}));export{o as a,t as s};
