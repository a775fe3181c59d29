"""The generated community is plausible and deterministic."""

from collections import Counter

from domain import handles, texts, topics
from domain.moderation.folding import fold, letters
from domain.moderation.pipeline import Pipeline
from domain.moderation.verdicts import AuditStatus
from domain.text_tokens import mentions
from seed.community import Community
from seed.people import NAMED
from seed.relations import BIG
from seed.reports import Target
from seed.saves import COLLECTIONS
from settings import ModerationSettings
from tests.support import submissions

DAY = 86_400_000
NOON, NIGHT = 1_790_000_000_000 // DAY * DAY + DAY // 2, 1_790_000_000_000 // DAY * DAY + DAY // 100


def test_people_texts_and_relations_are_equal_in_every_run() -> None:
    one, other = Community(NOON), Community(NIGHT)

    assert one.people == other.people
    assert [post[:2] + post[3:] for post in one.posts] == [post[:2] + post[3:] for post in other.posts]
    assert [follow[:2] for follow in one.follows] == [follow[:2] for follow in other.follows]
    assert [like[:2] for like in one.likes] == [like[:2] for like in other.likes]
    assert [like[:2] for like in one.comment_likes] == [like[:2] for like in other.comment_likes]
    assert [said[:2] + said[3:] for said in one.comments] == [said[:2] + said[3:] for said in other.comments]
    assert [repost[:2] for repost in one.reposts] == [repost[:2] for repost in other.reposts]
    assert [save[:2] + save[3:] for save in one.saves] == [save[:2] + save[3:] for save in other.saves]
    assert one.reactions == other.reactions
    assert one.reports == other.reports
    for author in range(len(one.people)):
        assert in_order(one, author) == in_order(other, author)


def in_order(community: Community, author: int) -> list[str]:
    own = [post for post in community.posts if post.author == author]
    return [post.text for post in sorted(own, key=lambda post: -post.age)]


def test_the_community_is_active() -> None:
    community = Community(NOON)
    people, posts = community.people, community.posts
    followers = Counter(followee for _, followee, _ in community.follows)
    likes = Counter(like.target for like in community.likes)
    chinese = sum(people[post.author].language == "zh" for post in posts)

    assert len({person.handle for person in people}) == len(people) == 200
    assert [person.handle for person in people[:3]] == ["alice", "bob", "carol"]
    assert len(posts) > 2000
    assert 0.2 < chinese / len(posts) < 0.3
    assert 0.2 < sum(not post.topics for post in posts) / len(posts) < 0.3
    assert min(len(post.text) for post in posts) < 20
    assert max(len(post.text) for post in posts) > 250
    assert sorted(BIG) == sorted(one for one, count in followers.items() if count > 100)
    assert {one for one, _, _ in community.follows} < set(range(len(people)))
    assert sum(likes.values()) > 4000
    assert sum(sorted(likes.values())[-len(posts) // 20 :]) > sum(likes.values()) / 3


def test_some_threads_are_long_and_most_are_short() -> None:
    community = Community(NOON)
    people, comments = community.people, community.comments
    threads = Counter(comment.subject for comment in comments)
    sizes = sorted(threads.values())
    on_things = sum(subject >= len(community.posts) for subject in threads)
    existing = {person.handle for person in people}
    named = [handle for comment in comments for handle in mentions(comment.text)]
    likes = Counter(like.target for like in community.comment_likes)

    assert 800 < len(comments) < len(community.posts)
    assert on_things > 30
    assert len(threads) > 250
    assert sizes[len(sizes) // 2] <= 2
    assert sizes[-1] > 50
    assert 0.2 < sum(comment.root is not None for comment in comments) / len(comments) < 0.4
    assert len(named) > 50
    assert existing.issuperset(named)
    assert 0.2 < len(likes) / len(comments) < 0.5
    assert max(likes.values()) > 20


def test_named_people_have_favourites() -> None:
    community = Community(NOON)
    liked = {like[:3] for like in community.likes}
    saved = Counter(save.person for save in community.saves)

    assert all(saved[one] > 3 for one in range(len(NAMED)))
    assert 300 < saved.total() < 600
    assert liked.issuperset(save[:3] for save in community.saves)
    assert {save.collection for save in community.saves} == {None, *range(len(COLLECTIONS))}
    for save in community.saves:
        assert save.collection is None or COLLECTIONS[save.collection].owner == save.person


def test_posts_have_up_to_four_photos_and_some_quote_an_older_post_of_somebody_else() -> None:
    for now in (NOON, NIGHT):
        posts = Community(now).posts
        counts = Counter(len(post.images) for post in posts)
        quoting = [(post, posts[post.quotes]) for post in posts if post.quotes is not None]

        assert sorted(counts) == [0, 1, 2, 3, 4]
        assert 0.2 < 1 - counts[0] / len(posts) < 0.4
        assert all(image.alt and image.width and image.height for post in posts for image in post.images)
        assert len(quoting) > 50
        assert all(quoted.age > post.age and quoted.author != post.author for post, quoted in quoting)
        assert all(quoted.interest is post.interest for post, quoted in quoting)


def test_some_people_repost_what_they_like() -> None:
    community = Community(NOON)
    liked = {like[:2] for like in community.likes}

    assert len({repost[:2] for repost in community.reposts}) == len(community.reposts) > 100
    assert liked.issuperset(repost[:2] for repost in community.reposts)


def test_replies_are_below_the_comment_that_they_answer() -> None:
    comments = Community(NOON).comments

    for at, comment in enumerate(comments):
        if comment.answers is None:
            assert comment.root is None
            continue
        answered = comments[comment.answers]
        assert comment.answers < at
        assert comment.root == (comment.answers if answered.root is None else answered.root)
        assert comment.subject == answered.subject
        assert comment.author != answered.author


def test_nobody_reports_twice_or_themselves() -> None:
    community = Community(NOON)
    authors = {
        Target.POST: [post.author for post in community.posts],
        Target.COMMENT: [comment.author for comment in community.comments],
        Target.THING: [thing.owner for thing in community.things],
        Target.PERSON: list(range(len(community.people))),
    }
    reported = [(one.kind, one.target, one.reporter) for one in community.reports]

    assert len({reporter for *_, reporter in reported}) == len(reported) > 10
    assert all(authors[kind][target] != reporter for kind, target, reporter in reported)


def test_all_texts_differ() -> None:
    for written in (Community(NOON).posts, Community(NOON).comments):
        said = [letters(fold(one.text)) for one in written]
        assert len(set(said)) == len(said)


def test_texts_and_names_are_valid_input() -> None:
    community = Community(NOON)

    for person in community.people:
        assert handles.checked(person.handle) == person.handle
        assert texts.user_text(person.bio, 500) == person.bio
    for post in community.posts:
        assert texts.user_text(post.text, 5000) == post.text
        assert all(topics.spelling(topic) for topic in post.topics)
    for comment in community.comments:
        assert texts.user_text(comment.text, 2000) == comment.text


def test_events_are_in_a_possible_order() -> None:
    for now in (NOON, NIGHT):
        community = Community(now)
        born = {one: age for age, cohort in community.cohorts for one in cohort}

        assert sorted(born) == list(range(len(community.people)))
        assert min(born.values()) > 60 * DAY
        for follower, followee, age in community.follows:
            assert 0 < age < min(born[follower], born[followee])
        for post in community.posts:
            assert 0 < post.age < 30 * DAY
        for like in community.likes:
            assert 0 <= like.age < community.posts[like.target].age
        assert all(0 < reaction.age < 60 * DAY for reaction in community.reactions)
        for comment in community.comments:
            about_post = comment.subject < len(community.posts)
            assert 0 <= comment.age < (community.posts[comment.subject].age if about_post else 29 * DAY)
            assert comment.answers is None or comment.age <= community.comments[comment.answers].age
        for like in community.comment_likes:
            assert 0 <= like.age <= community.comments[like.target].age


def test_moderation_objects_to_a_few_posts_and_to_no_comment() -> None:
    pipeline, community = Pipeline(ModerationSettings()), Community(NOON)
    verdicts = Counter(
        pipeline.check(submissions.post(one.text, topics=tuple(one.topics)), ()).status for one in community.posts
    )
    comments = {pipeline.check(submissions.post(one.text), ()).status for one in community.comments}

    assert comments == {AuditStatus.APPROVED}
    assert verdicts[AuditStatus.PENDING] == 4
    assert verdicts[AuditStatus.REJECTED] == 3
