# Messages of the parts that the demo app and the moderation console share. All languages have the same messages with
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

# Counts. $count is `unknown` in a label for a number that could not be read, and a dash in its place in a text.
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
