"""A real system and its model: users comment, reply and delete, moderators decide, and workers may repeat their work or
work in another order.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar

from models.comments import CommentState
from models.counters import CounterKind
from models.patches import NONE
from settings import COMMENTS
from tests.features.comments.model import Comment, Policies, Subject
from tests.support.comments import add, counts, decide, delete, edit, floors, number, seen, text_of
from tests.support.follows import follow_people
from tests.support.pinned_comments import pin, pinned_on
from tests.support.post_harness import TABLES, PostHarness
from tests.support.posts import publish
from tests.support.reaction_harness import nothing
from tests.support.system import Person

KINDS = (CounterKind.COMMENTS, CounterKind.ROOT_COMMENTS, CounterKind.REPLIES)
NO_REPLIES = ({"TARGET_NOT_FOUND"}, {"TARGET_DELETED"}, {"COMMENTS_CLOSED"})


class CommentHarness(PostHarness):
    """The harness of posts, whose users comment on a video and on a post."""

    tables: ClassVar[tuple[str, ...]] = (
        *TABLES,
        "comment_subjects",
        "comments",
        "comment_contents",
        "comment_settings",
    )

    async def begin(self) -> None:
        await super().begin()
        self.comments: list[Comment] = []
        self.pinned: dict[str, Comment] = {}
        alice, bob, carol = self.users
        (video,) = await self.system.videos(f"v{self.examples}", owner=alice)
        post = (await publish(self.people[bob], f"hello @{alice}", key="hello"))["post"]["id"]
        await follow_people(self.people[alice], self.people[bob])
        await follow_people(self.people[bob], self.people[carol])
        self.owners = {video: alice, post: bob}
        self.subjects = [video, post]
        self.policies = Policies({video: Subject(alice, bob), post: Subject(bob, carol, alice)})
        await self.handle_all()
        await self.sweep()

    # Actions of users.

    async def comment(self, who: int, about: int, to: int | None) -> None:
        """Adds a root comment, or a reply. The API may refuse a comment that the policy forbids, and a reply if the
        parent is rejected, or if the author of the reply cannot see the parent.
        """
        author, self.written = self.users[who], self.written + 1
        subject = self.subjects[about]
        on_subject = [comment for comment in self.comments if comment.subject == subject]
        parent = on_subject[to % len(on_subject)] if to is not None and on_subject else None
        text, key = f"comment {self.written}", f"key {self.written}"
        payload = await add(self.people[author], subject, text, parent.id if parent else None, key)
        permitted = self.policies.answers(subject, author)
        if [error["code"] for error in payload["userErrors"]] == ["COMMENTS_RESTRICTED"]:
            assert False in permitted
            return
        if payload["userErrors"]:
            assert parent, payload
            assert {error["code"] for error in payload["userErrors"]} in NO_REPLIES
            assert parent.deleted or not parent.approved or parent.author != author
            return
        assert True in permitted
        self.comments.append(Comment(payload["comment"]["id"], subject, author, text, key, parent))
        await self.check_view(author)

    async def comment_again(self, which: int) -> None:
        """Repeats an addComment with its idempotency key and expects the id of the first answer."""
        if kept := [
            comment
            for comment in self.comments
            if not comment.deleted and (not comment.parent or comment.parent.public)
        ]:
            comment = kept[which % len(kept)]
            again = await add(
                self.people[comment.author],
                comment.subject,
                comment.texts[0],
                comment.parent.id if comment.parent else None,
                comment.key,
            )
            assert again["comment"]["id"] == comment.id

    async def edit_comment(self, which: int, new_text: bool, working: bool) -> None:
        """Edits a comment that its author sees. An edit with the old text changes nothing."""
        if not (kept := [comment for comment in self.comments if not comment.deleted]):
            return
        comment = kept[which % len(kept)]
        self.written += new_text
        text = f"comment {self.written}" if new_text else comment.text
        payload, _ = await asyncio.gather(
            edit(self.people[comment.author], comment.id, text=text), self._batch() if working else nothing()
        )
        assert payload["userErrors"] == []
        if new_text:
            comment.approved = True  # moderation judges the new text again
            comment.texts.append(text)
        comment.text, comment.edited_at = text, payload["comment"]["editedAt"]
        await self.check_view(comment.author)

    async def set_policy(self, about: int, policy: str) -> None:
        """Lets the owner of a subject choose who may comment."""
        subject = self.subjects[about]
        await self.policies.change(self.people[self.owners[subject]], subject, policy)

    async def pin(self, which: int, pins: bool) -> None:
        """Lets the owner of a subject pin or unpin a comment, after all earlier changes were stored."""
        if not self.comments:
            return
        await self.handle_all()
        comment = self.comments[which % len(self.comments)]
        owner = self.people[self.owners[comment.subject]]
        payload = await pin(owner, comment.id, "pinComment" if pins else "unpinComment")
        is_pinned = self.pinned.get(comment.subject) is comment
        seen_by_owner = comment.public or (comment.author == owner.handle and not comment.deleted)
        was_public = comment.deleted and await floors(self.system, comment.id) != [None]  # an unpin can be repeated
        allowed = comment.root is None and comment.public if pins else is_pinned or was_public or seen_by_owner
        assert (payload["userErrors"] == []) == allowed, payload
        if pins and allowed:
            self.pinned[comment.subject] = comment
            assert await pinned_on(owner, comment.subject) == comment.id
        elif is_pinned and not pins:
            del self.pinned[comment.subject]
            assert await pinned_on(owner, comment.subject) is None

    async def delete(self, which: int, working: bool, who: int = 0) -> None:
        """Deletes a comment as author, as owner of its subject or as moderator.

        The API may refuse only an owner or a moderator who cannot see the comment yet.
        """
        if not (kept := [comment for comment in self.comments if not comment.deleted]):
            return
        comment = kept[which % len(kept)]
        owner = self.people[self.owners[comment.subject]]
        deleter = (self.people[comment.author], owner, self.moderators[which % 2])[who]
        before = await seen(deleter, comment.id)
        payload, _ = await asyncio.gather(delete(deleter, comment.id), self._batch() if working else nothing())
        if payload["userErrors"]:
            assert deleter.handle != comment.author
            assert payload["userErrors"] == [{"code": "TARGET_NOT_FOUND", "field": ["commentId"]}]
            return
        comment.deleted = (
            deleter.handle == comment.author or deleter is not owner or await self._has_pending_deletion(owner, comment)
        )
        tombstone = before is None or before["deleted"]  # an owner sees a rejected comment with replies as a tombstone
        assert comment.deleted or tombstone or working, (
            "a user who sees the text can delete the comment, whatever moderators decide meanwhile"
        )
        if comment.deleted:
            assert await text_of(deleter, comment.id) in (None, "-")

    async def _has_pending_deletion(self, deleter: Person, comment: Comment) -> bool:
        """Returns whether a deletion of this comment is among the user's pending changes."""
        patches = await self.state.patches.pending(self.refs[deleter.handle].entity_id)
        return any(patch.deletes for patch in patches.comments.get(number(comment.id), ()))

    async def judge(self, who: int, which: int, approve: bool) -> None:
        """Lets a moderator decide about the text that they see, which may be an older one."""
        if not self.comments:
            return
        comment, moderator = self.comments[which % len(self.comments)], self.moderators[who]
        shown = await seen(moderator, comment.id)
        if shown and not shown["deleted"]:
            await decide(moderator, comment.id, "APPROVE" if approve else "REJECT")
            if shown["editedAt"] == comment.edited_at:
                comment.approved = approve

    async def check_view(self, user: str, _: str = "phone") -> None:
        """Expects that an author sees an own comment at once, and that other users see no wrong text or policy."""
        await self.policies.check_view(self.people[user])
        for comment in self.comments:
            shown = await text_of(self.people[user], comment.id)
            if comment.author == user and not comment.deleted:
                assert shown == comment.text
            else:
                assert shown in (None, "-", *comment.texts)

    # Invariants.

    async def drain_and_check(self) -> None:
        """Drains the system and expects that rows, floors, counters and all viewers' answers agree with the model."""
        await self.handle_all()
        await self.sweep()
        for user in self.users:
            assert await self.state.patches.pending(self.refs[user].entity_id) == NONE
        assert await self.system.rows("SELECT * FROM dead_letters") == []
        lengths = await self.state.journals.lengths(range(4))
        assert (await self.current_worker()).state.settings.journal_tail_seconds or not any(lengths), lengths
        self.policies.settle()
        self.comments.sort(key=lambda comment: number(comment.id))
        await self._check_rows()
        await self._check_floors()
        await self._check_counters()
        for viewer in (self.system.person(None), *self.people.values(), *self.moderators):
            await self._check_shown(viewer)

    async def _check_rows(self) -> None:
        rows = await self.system.rows("""
            SELECT comment_id, text, root_id, parent_id, deleted, status = 1 OR deleted, answered
            FROM comment_contents ORDER BY comment_id""")  # a deleted comment keeps its status
        states = dict(await self.system.rows("SELECT comment_id, state FROM comments"))
        found = [(*row, states[row[0]]) for row in rows]
        assert found == [
            (
                number(comment.id),
                comment.text,
                comment.root and number(comment.root.id),
                comment.parent and number(comment.parent.id),
                comment.deleted,
                comment.approved or comment.deleted,
                self._answered(comment),
                self._state(comment),
            )
            for comment in self.comments
        ]

    def _answered(self, comment: Comment) -> bool:
        return any(reply.root is comment and reply.public for reply in self.comments)

    def _state(self, comment: Comment) -> CommentState:
        if comment.public or self._answered(comment):
            return CommentState.VISIBLE
        return CommentState.GONE if comment.deleted else CommentState.HIDDEN

    async def _check_floors(self) -> None:
        """Expects that every subject and root has the floors 1, 2, 3 …, and every public comment a floor."""
        rows = await self.system.rows("""
            SELECT subject_business, subject_id, root_id, comment_id, floor FROM comment_contents ORDER BY floor""")
        issued: dict[tuple[int, int], list[int]] = {}
        for business, subject, root, comment_id, floor in rows:
            if floor is not None:
                issued.setdefault((COMMENTS, root) if root else (business, subject), []).append(floor)
            assert floor or not next(comment for comment in self.comments if number(comment.id) == comment_id).public
        assert issued == {place: list(range(1, len(some) + 1)) for place, some in issued.items()}
        last = await self.system.rows("SELECT business_id, entity_id, floors FROM comment_subjects")
        assert {(business, entity): floors for business, entity, floors in last} == {
            place: len(some) for place, some in issued.items()
        }

    async def _check_counters(self) -> None:
        kinds = ", ".join(str(int(kind)) for kind in KINDS)
        rows = await self.system.rows(
            f"SELECT kind, entity_id, value FROM counters WHERE kind IN ({kinds}) AND value <> 0"  # noqa: S608
        )
        contents = "SELECT comment_id, subject_id FROM comment_contents"
        subject_of = dict(await self.system.rows(contents))
        expected: Counter[tuple[int, int]] = Counter()
        for comment in self.comments:
            if comment.public:
                subject = subject_of[number(comment.id)]
                expected[CounterKind.COMMENTS, subject] += 1
                root = (
                    (CounterKind.REPLIES, number(comment.root.id))
                    if comment.root
                    else (CounterKind.ROOT_COMMENTS, subject)
                )
                expected[root] += 1
        assert {(kind, entity): value for kind, entity, value in rows} == expected

    async def _check_shown(self, viewer: Person) -> None:
        """Expects that the viewer sees every comment and every subject's counts as in the model."""
        moderates = viewer in self.moderators
        if viewer.handle:
            await self.policies.check_view(viewer)
        for comment in self.comments:
            own = not comment.deleted and (moderates or comment.author == viewer.handle)
            visible = comment.text if comment.public or own else "-" if self._answered(comment) else None
            shown = await seen(viewer, comment.id)
            assert (shown and (shown["text"] or "-")) == visible, (viewer.handle, comment, shown)
            assert shown is None or shown["replyCount"] == sum(
                other.root is comment and other.public for other in self.comments
            )
        for subject in self.subjects:
            public = [comment for comment in self.comments if comment.subject == subject and comment.public]
            assert await counts(viewer, subject) == (len(public), sum(not comment.root for comment in public))
            pinned = self.pinned.get(subject)
            assert await pinned_on(viewer, subject) == (pinned.id if pinned and pinned.public else None)

    async def edit(self, which: int, topics: Sequence[str] | None, says_more: bool, working: bool) -> Any:
        raise NotImplementedError("comments are edited by edit_comment")
