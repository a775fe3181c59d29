"""Makes requests that publish posts and comments."""

import secrets

from bench.client import graphql
from bench.community import Person
from settings import EXAMPLE_HOST

PUBLISH = """mutation ($text: String!, $topics: [String!]!, $images: [ImageInput!]!, $key: String!) {
  publishPost(input: {text: $text, topics: $topics, images: $images, idempotencyKey: $key}) {
    post { id } userErrors { code }
  }
}"""
PUBLISHED = b'"userErrors":[]'
COMMENT = """mutation ($subject: ID!, $text: String!, $key: String!) {
  addComment(input: {subjectId: $subject, text: $text, idempotencyKey: $key}) { comment { id } userErrors { code } }
}"""
_TOPICS = ("cooking", "gardens", "音乐", "trains", "weather")


def publication(author: Person, number: int) -> bytes:
    """Returns a request in which the author publishes a post with two topics and an image. `number` varies the text."""
    images = [{"url": f"https://{EXAMPLE_HOST}/{author.subject}/{number}.jpg", "alt": f"Picture {number}"}]
    text = f"This is what {author.subject} has to say today, number {number}. 今天天气很好。" * 3
    topics = [_TOPICS[(number + shift) % len(_TOPICS)] for shift in (0, 2)]
    variables = {"text": text, "topics": topics, "images": images, "key": secrets.token_hex(16)}
    return graphql(author.token, PUBLISH, variables)


def remark(author: Person, subject: str) -> bytes:
    """Returns a request in which the author comments on the post or entity with the id `subject`."""
    variables = {
        "subject": subject,
        "text": f"{author.subject} could not agree more. 说得好。",
        "key": secrets.token_hex(16),
    }
    return graphql(author.token, COMMENT, variables)
