"""An operation for each root field, sent by tests of tokens that are restricted to businesses."""

REACT = "mutation ($video: ID!) {{ {}(input: {{targetId: $video}}) {{ userErrors {{ code }} }} }}"
OPERATIONS = {
    "Query.viewer": "{ viewer { id } }",
    "Query.user": '{ user(handle: "alice") { id } }',
    "Query.users": '{ users(externalIds: ["alice"]) { id } }',
    "Query.entity": '{ entity(business: "video", key: "v1") { id } }',
    "Query.entities": '{ entities(business: "video", keys: ["v1"]) { id } }',
    "Query.topics": '{ topics(prefix: "c") { id } }',
    "Query.searchTopics": '{ searchTopics(query: "cats") { nodes { id } } }',
    "Query.trendingTopics": "{ trendingTopics { score } }",
    "Query.labels": "{ labels { name } }",
    "Query.topic": '{ topic(name: "cats") { id } }',
    "Query.moderationLog": "{ moderationLog { nodes { action } } }",
    "Query.transparency": '{ transparency(from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z") { csv } }',
    "Query.moderationQueue": "{ moderationQueue { nodes { id } } }",
    "Query.noticeStatus": '{ noticeStatus(number: "A") { state } }',
    "Query.searchPosts": '{ searchPosts(query: "cats") { nodes { id } } }',
    "Query.searchComments": '{ searchComments(subjectId: "Post:7", query: "cats") { nodes { id } } }',
    "Query.searchEntities": '{ searchEntities(business: "video", query: "cats") { nodes { id } } }',
    "Query.searchUsers": '{ searchUsers(query: "bob") { nodes { id } } }',
    "Query.suggestHandles": '{ suggestHandles(prefix: "bob") { id } }',
    "Query.square": "{ square { nodes { id } } }",
    "Query.leaderboard": "{ leaderboard { rank } }",
    "Query.grounds": "{ grounds { name } }",
    "Query.rateLimit": "{ rateLimit { cost } }",
    "Query.allFollowers": "query ($bob: ID!) { allFollowers(userId: $bob) { nodes { id } } }",
    "Query.allLikers": "query ($video: ID!) { allLikers(targetId: $video) { nodes { id } } }",
    "Query.node": "query ($video: ID!) { node(id: $video) { id } }",
    "Query.nodes": "query ($video: ID!) { nodes(ids: [$video]) { id } }",
    **{f"Mutation.{verb}": REACT.format(verb) for verb in ("like", "unlike", "dislike", "undislike", "save", "unsave")},
    "Mutation.react": REACT.format("react").replace("targetId", 'kind: "like", targetId'),
    "Mutation.unreact": REACT.format("unreact"),
    "Mutation.createCollection": 'mutation { createCollection(input: {name: "a", idempotencyKey: "a"}) '
    "{ userErrors { code } } }",
    **{
        f"Mutation.{verb}Collection": f"mutation ($collection: ID!) {{ {verb}Collection(input: "
        f"{{collectionId: $collection}}) {{ userErrors {{ code }} }} }}"
        for verb in ("update", "delete")
    },
    "Mutation.follow": "mutation ($bob: ID!) { follow(input: {userId: $bob}) { userErrors { code } } }",
    "Mutation.mute": "mutation ($bob: ID!) { mute(input: {userId: $bob}) { userErrors { code } } }",
    "Mutation.unmute": "mutation ($bob: ID!) { unmute(input: {userId: $bob}) { userErrors { code } } }",
    "Mutation.setPostNotifications": "mutation ($bob: ID!) { setPostNotifications(input: "
    "{userId: $bob, enabled: true}) { userErrors { code } } }",
    "Mutation.removeFollower": "mutation ($bob: ID!) { removeFollower(input: {userId: $bob}) { userErrors { code } } }",
    **{f"Mutation.{verb}": REACT.format(verb).replace("video", "post") for verb in ("muteThread", "unmuteThread")},
    "Mutation.block": "mutation ($bob: ID!) { block(input: {userId: $bob}) { userErrors { code } } }",
    "Mutation.unblock": "mutation ($bob: ID!) { unblock(input: {userId: $bob}) { userErrors { code } } }",
    "Mutation.unfollow": "mutation ($bob: ID!) { unfollow(input: {userId: $bob}) { userErrors { code } } }",
    "Mutation.acceptFollow": "mutation ($bob: ID!) { acceptFollow(input: {userId: $bob}) { userErrors { code } } }",
    "Mutation.rejectFollow": "mutation ($bob: ID!) { rejectFollow(input: {userId: $bob}) { userErrors { code } } }",
    "Mutation.publishPost": 'mutation { publishPost(input: {text: "a", idempotencyKey: "a"}) { userErrors { code } } }',
    "Mutation.editPost": 'mutation ($post: ID!) { editPost(input: {postId: $post, text: "b"}) '
    "{ userErrors { code } } }",
    "Mutation.deletePost": "mutation ($post: ID!) { deletePost(input: {postId: $post}) { userErrors { code } } }",
    **{
        f"Mutation.{verb}": f"mutation ($post: ID!) {{ {verb}(input: {{postId: $post}}) {{ userErrors {{ code }} }} }}"
        for verb in ("pinPost", "unpinPost", "repost", "unrepost", "detachQuote", "hidePost", "showLess", "unhidePost")
    },
    "Mutation.muteWords": 'mutation { muteWords(input: {words: [{text: "a"}]}) { userErrors { code } } }',
    "Mutation.unmuteWords": 'mutation { unmuteWords(input: {texts: ["a"]}) { userErrors { code } } }',
    "Mutation.setQuotePolicy": "mutation { setQuotePolicy(input: {policy: NOBODY}) { userErrors { code } } }",
    **{
        f"Mutation.{verb}": f"mutation ($bob: ID!) {{ {verb}(input: {{userId: $bob}}) {{ userErrors {{ code }} }} }}"
        for verb in ("muteReposts", "unmuteReposts", "dismissSuggestion")
    },
    **{
        f"Mutation.{verb}Topic": f'mutation {{ {verb}Topic(input: {{topicId: "Topic:cats"}}) '
        "{ userErrors { code } } }"
        for verb in ("follow", "unfollow")
    },
    **{
        f"Mutation.{verb}Entity": f"mutation ($video: ID!) {{ {verb}Entity(input: {{entityId: $video}}) "
        "{ userErrors { code } } }"
        for verb in ("follow", "unfollow")
    },
    "Mutation.setDiscoverable": "mutation { setDiscoverable(input: {discoverable: false}) { userErrors { code } } }",
    "Mutation.setLabelPreferences": "mutation { setLabelPreferences(input: {preferences: []}) "
    "{ userErrors { code } } }",
    "Mutation.setLabels": "mutation ($comment: ID!) { setLabels(input: "
    '{targetId: $comment, labels: [], reason: "c"}) { userErrors { code } } }',
    "Mutation.setTopicsInHome": "mutation { setTopicsInHome(input: {enabled: true}) { userErrors { code } } }",
    "Mutation.moderate": "mutation ($comment: ID!) { moderate(input: "
    '{targetId: $comment, decision: APPROVE, reason: "c"}) { userErrors { code } } }',
    "Mutation.resolveReports": "mutation ($comment: ID!) { resolveReports(input: "
    '{targetId: $comment, resolution: DISMISS, reason: "c"}) { userErrors { code } } }',
    "Mutation.report": "mutation ($video: ID!) { report(input: {targetId: $video, reason: SPAM}) "
    "{ userErrors { code } } }",
    "Mutation.notice": 'mutation ($video: ID!) { notice(input: {targetId: $video, explanation: "e", law: "l", '
    "unnamed: true, goodFaith: true}) { userErrors { code } } }",
    "Mutation.addComment": "mutation ($video: ID!) { addComment(input: "
    '{subjectId: $video, text: "d", idempotencyKey: "d"}) { userErrors { code } } }',
    **{
        f"Mutation.{verb}": f"mutation ($comment: ID!) {{ {verb}(input: {{commentId: $comment}}) "
        "{ userErrors { code } } }"
        for verb in ("pinComment", "unpinComment")
    },
    "Mutation.setCommentPolicy": "mutation ($video: ID!) { setCommentPolicy(input: "
    "{subjectId: $video, policy: NOBODY}) { userErrors { code } } }",
    "Mutation.editComment": 'mutation ($comment: ID!) { editComment(input: {commentId: $comment, text: "e"}) '
    "{ userErrors { code } } }",
    "Mutation.deleteComment": "mutation ($comment: ID!) { deleteComment(input: {commentId: $comment}) "
    "{ userErrors { code } } }",
    "Mutation.recordViews": "mutation ($video: ID!) { recordViews(input: {targetIds: [$video]}) "
    "{ userErrors { code } } }",
    "Mutation.recordShares": "mutation ($video: ID!) { recordShares(input: {targetIds: [$video]}) "
    "{ userErrors { code } } }",
    "Mutation.recordActions": 'mutation ($video: ID!) { recordActions(input: {targetIds: [$video], action: "plays"}) '
    "{ userErrors { code } } }",
    "Mutation.markNotificationsRead": 'mutation { markNotificationsRead(input: {upTo: "x"}) { viewer { id } } }',
    "Mutation.markNotificationsSeen": 'mutation { markNotificationsSeen(input: {upTo: "x"}) { viewer { id } } }',
    "Mutation.markNotificationRead": "mutation ($notification: ID!) { markNotificationRead(input: "
    "{notificationId: $notification}) { viewer { id } } }",
    "Mutation.setNotificationPreferences": "mutation { setNotificationPreferences(input: {preferences: []}) "
    "{ viewer { id } } }",
    "Mutation.updateProfile": 'mutation { updateProfile(input: {bio: "e"}) { userErrors { code } } }',
    "Mutation.appeal": "mutation ($comment: ID!) { appeal(input: "
    '{targetId: $comment, text: "f"}) { userErrors { code } } }',
    "Mutation.assign": "mutation ($comment: ID!) { assign(input: {targetId: $comment}) { userErrors { code } } }",
    "Mutation.release": "mutation ($comment: ID!) { release(input: {targetId: $comment}) { userErrors { code } } }",
    "Mutation.warnUser": "mutation ($bob: ID!) { warnUser(input: "
    '{userId: $bob, reason: "f"}) { userErrors { code } } }',
    "Mutation.decideAppeal": "mutation { decideAppeal(input: "
    '{statementId: "Statement:7.8", decision: GRANT, reason: "f"}) { userErrors { code } } }',
    "Mutation.setTopicState": 'mutation { setTopicState(input: {name: "cats", state: HELD}) { topic { id } } }',
    "Mutation.suspendUser": "mutation ($bob: ID!) { suspendUser(input: "
    '{userId: $bob, mode: READ_ONLY, reason: "f"}) { userErrors { code } } }',
    "Mutation.reinstateUser": "mutation ($bob: ID!) { reinstateUser(input: {userId: $bob}) { userErrors { code } } }",
    "Mutation.deleteUser": "mutation { deleteUser(input: {mode: ERASE}) { userErrors { code } } }",
    "Mutation.cancelDeletion": "mutation { cancelDeletion(input: {}) { userErrors { code } } }",
    "Mutation.registerUsers": 'mutation { registerUsers(users: [{externalId: "carol"}]) { userErrors { code } } }',
    "Mutation.upsertUsers": 'mutation { upsertUsers(users: [{externalId: "carol"}]) { userErrors { code } } }',
    "Mutation.exportUser": "mutation { exportUser(input: {}) { userErrors { code } } }",
    "Mutation.createUpload": 'mutation { createUpload(input: {mimeType: "image/png", byteSize: 1}) '
    "{ userErrors { code } } }",
    "Query.uploadRules": "{ uploadRules { maxBytes } }",
    "Mutation.registerEntities": 'mutation { registerEntities(entities: [{business: "video", key: "v9"}]) '
    "{ userErrors { code } } }",
    "Mutation.removeEntities": 'mutation { removeEntities(ids: ["Entity:video:v9"]) { userErrors { code } } }',
    "Mutation.eraseEntities": 'mutation { eraseEntities(ids: ["Entity:video:v9"]) { userErrors { code } } }',
    "Subscription.reactableChanged": "subscription ($video: ID!) { reactableChanged(ids: [$video]) { id } }",
    "Subscription.homePostAdded": "subscription { homePostAdded { cursor } }",
    "Subscription.notificationReceived": "subscription { notificationReceived { viewer { __typename } } }",
    "Subscription.notificationsRead": "subscription { notificationsRead { viewer { __typename } } }",
    "Query.admin": "{ admin { webhooks { name } } }",
    "Mutation.importOperations": 'mutation { importOperations(input: {operations: [{id: "a", text: "{ a }"}]}) '
    "{ userErrors { code } } }",
    **{
        f"Mutation.{verb}Operations": f'mutation {{ {verb}Operations(input: {{ids: ["a"]}}) '
        "{ userErrors { code } } }"
        for verb in ("withdraw", "restore")
    },
    **{
        f"Mutation.{verb}ClientVersions": f'mutation {{ {verb}ClientVersions(input: {{client: "a", '
        f'clientVersions: ["1"]}}) {{ userErrors {{ code }} }} }}'
        for verb in ("withdraw", "restore")
    },
    "Mutation.createWebhook": 'mutation { createWebhook(input: {name: "a", url: "https://a.example"}) '
    "{ userErrors { code } } }",
    **{
        f"Mutation.{verb}": f'mutation {{ {verb}(input: {{name: "a"}}) {{ userErrors {{ code }} }} }}'
        for verb in ("deleteWebhook", "rotateWebhookSecret", "retryWebhook")
    },
    "Mutation.importWordList": 'mutation { importWordList(input: {text: "a"}) { userErrors { code } } }',
    "Mutation.removeWords": 'mutation { removeWords(input: {words: ["a"]}) { userErrors { code } } }',
    "Viewer.moderationRole": "{ viewer { moderationRole } }",
    "Viewer.user": "{ viewer { user { id } } }",
    "Viewer.statements": "{ viewer { statements { nodes { id } } } }",
    "Viewer.deletion": "{ viewer { deletion { state } } }",
    "Viewer.home": "{ viewer { home { nodes { id } } } }",
    "ContentLabel.visibility": "query ($video: ID!) { node(id: $video) { ... on Entity { labels { visibility } } } }",
    "Viewer.ageBand": "{ viewer { ageBand } }",
    "Viewer.labelPreferences": "{ viewer { labelPreferences { visibility } } }",
    "Viewer.isDiscoverable": "{ viewer { isDiscoverable } }",
    "Viewer.homeNewCount": "query ($since: String!) { viewer { homeNewCount(since: $since) } }",
    "Viewer.topicsInHome": "{ viewer { topicsInHome } }",
    **{
        f"Viewer.{field}": f"{{ viewer {{ {field} {{ nodes {{ id }} }} }} }}"
        for field in ("followedTopics", "followedEntities", "followedTopicsFeed")
    },
    **{
        f"{type_}.viewerFollows": 'query ($video: ID!) { nodes(ids: [$video, "Topic:cats"]) '
        f"{{ ... on {type_} {{ viewerFollows }} }} }}"
        for type_ in ("Followable", "Entity", "Topic")
    },
    "Viewer.suggestedUsers": "{ viewer { suggestedUsers { score } } }",
    "Viewer.recommended": "{ viewer { recommended { nodes { id } } } }",
    "Viewer.blocks": "{ viewer { blocks { nodes { id } } } }",
    "Viewer.followRequests": "{ viewer { followRequests { nodes { id } } } }",
    "Viewer.hiddenPosts": "{ viewer { hiddenPosts { nodes { id } } } }",
    "Viewer.savedQueues": "{ viewer { savedQueues { name } } }",
    "Mutation.saveQueue": 'mutation { saveQueue(input: {name: "a"}) { userErrors { code } } }',
    "Mutation.deleteSavedQueue": 'mutation { deleteSavedQueue(input: {name: "a"}) { userErrors { code } } }',
    "Viewer.mutedWords": "{ viewer { mutedWords { text } } }",
    "Viewer.mutes": "{ viewer { mutes { nodes { id } } } }",
    "Viewer.collections": "{ viewer { collections { nodes { id } } } }",
    "SavedItem.collection": "query ($collection: ID!) { node(id: $collection) { ... on Collection { items { nodes "
    "{ collection { id } } } } } }",
    "Viewer.saved": "{ viewer { saved { nodes { targetId } } } }",
    "Viewer.notifications": "{ viewer { notifications { nodes { id } } } }",
    "Viewer.unreadNotificationCount": "{ viewer { unreadNotificationCount } }",
    "Viewer.export": "{ viewer { export { state } } }",
    "Mutation.setQuietHours": "mutation { setQuietHours(input: {}) { viewer { id } } }",
    "Viewer.quietHours": "{ viewer { quietHours { from } } }",
    "Mutation.setLanguage": "mutation { setLanguage(input: {}) { viewer { id } } }",
    "Viewer.language": "{ viewer { language } }",
    "Viewer.unseenNotificationCount": "{ viewer { unseenNotificationCount } }",
    "Viewer.notificationPreferences": "{ viewer { notificationPreferences { kind } } }",
    "User.viewerBlocks": '{ user(handle: "bob") { viewerBlocks } }',
    "User.viewerGetsPostNotifications": '{ user(handle: "bob") { viewerGetsPostNotifications } }',
    "User.viewerMutes": '{ user(handle: "bob") { viewerMutes } }',
    "User.suspension": '{ user(handle: "bob") { suspension { mode } } }',
    "User.viewerRelation": '{ user(handle: "bob") { viewerRelation } }',
    **{
        f"{type_}.{field}": "query ($video: ID!, $post: ID!, $comment: ID!) { nodes(ids: [$video, $post, $comment]) "
        f"{{ ... on {type_} {{ {field}{more} }} }} }}"
        for type_ in ("Reactable", "Comment", "Entity", "Post")
        for field, more in (
            ("viewerReaction", ""),
            ("viewerReactions", ""),
            ("viewerSaved", ""),
            ("viewerMutesThread", ""),
            ("likedByFollowed", " { id }"),
        )
    },
    "Post.editHistory": "query ($post: ID!) { node(id: $post) { ... on Post { editHistory { nodes { text } } } } }",
    "Comment.editHistory": "query ($comment: ID!) { node(id: $comment) { "
    "... on Comment { editHistory { nodes { text } } } } }",
    "Post.viewerHasHidden": "query ($post: ID!) { node(id: $post) { ... on Post { viewerHasHidden } } }",
    "Post.viewerHasReposted": "query ($post: ID!) { node(id: $post) { ... on Post { viewerHasReposted } } }",
    "PostEdge.repostedBy": "{ viewer { home { edges { repostedBy { totalCount } } } } }",
    "User.viewerMutesReposts": '{ user(handle: "bob") { viewerMutesReposts } }',
    **{
        f"{type_}.viewerCanComment": "query ($video: ID!, $post: ID!) { nodes(ids: [$video, $post]) "
        f"{{ ... on {type_} {{ viewerCanComment }} }} }}"
        for type_ in ("Commentable", "Entity", "Post")
    },
    **{
        f"Notification.{field}": "query ($notification: ID!) { node(id: $notification) "
        f"{{ ... on Notification {{ {field}{more} }} }} }}"
        for field, more in (
            ("kind", ""),
            ("actors", " { id }"),
            ("actorCount", ""),
            ("subject", " { id }"),
            ("reactions", ""),
            ("message", ""),
            ("createdAt", ""),
            ("updatedAt", ""),
            ("read", ""),
            ("isSeen", ""),
            ("collapseKey", ""),
            ("comment", " { id }"),
        )
    },
}
