"""The model of a random history: comments, and who may write them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Optional

from tests.support.comment_policies import policy_of, set_policy
from tests.support.system import Person

POLICIES = ("EVERYONE", "FOLLOWED", "MENTIONED", "NOBODY")


@dataclass
class Comment:
    """A comment of the model, with all changes that were acknowledged and all decisions of moderators."""

    id: str
    subject: str
    author: str
    text: str
    key: str
    parent: Optional["Comment"]
    approved: bool = True
    deleted: bool = False
    edited_at: str | None = None

    def __post_init__(self) -> None:
        self.texts = [self.text]

    @property
    def root(self) -> Optional["Comment"]:
        return self.parent and (self.parent.root or self.parent)

    @property
    def public(self) -> bool:
        return self.approved and not self.deleted


@dataclass(frozen=True)
class Subject:
    """A post or entity: its owner, a user whom the owner follows, and a user whom the text mentions. An entity mentions
    nobody.
    """

    owner: str
    followed: str
    mentioned: str | None = None

    def permits(self, policy: str, user: str) -> bool:
        """Tells whether a user may comment under a policy."""
        permitted = {"FOLLOWED": self.followed, "MENTIONED": self.mentioned, "NOBODY": None}
        return user == self.owner or policy == "EVERYONE" or permitted[policy] == user


class Policies:
    """The policies of subjects: those that were acknowledged since everything was stored, the newest last. Its owner
    sees the newest one at once, and other users any of them.
    """

    def __init__(self, subjects: Mapping[str, Subject]) -> None:
        self._subjects = subjects
        self._policies = {id_: ["EVERYONE"] for id_ in subjects}

    def answers(self, id_: str, user: str) -> set[bool]:
        """Returns the possible answers to whether a user may comment on a subject."""
        return {self._subjects[id_].permits(policy, user) for policy in self._policies[id_]}

    async def change(self, owner: Person, id_: str, policy: str) -> None:
        """Lets the owner set the policy of a subject, and expects that the owner sees it. An entity refuses
        MENTIONED.
        """
        payload = await set_policy(owner, id_, policy)
        if policy == "MENTIONED" and self._subjects[id_].mentioned is None:
            assert payload == {"subject": None, "userErrors": [{"code": "INVALID", "field": ["policy"]}]}
            return
        self._policies[id_].append(policy)
        assert payload["userErrors"] == []
        assert payload["subject"] == {"id": id_, "commentPolicy": policy, "viewerCanComment": True}

    async def check_view(self, user: Person) -> None:
        """Expects that a user is told a policy that was set, and the answer that belongs to it."""
        for id_, subject in self._subjects.items():
            policy, may = await policy_of(user, id_)
            possible = self._policies[id_][-1:] if user.handle == subject.owner else self._policies[id_]
            assert policy in possible, (policy, possible)
            assert may == subject.permits(policy, user.handle)

    def settle(self) -> None:
        """Forgets all policies but the newest of each subject, after everything was stored."""
        self._policies = {id_: some[-1:] for id_, some in self._policies.items()}
