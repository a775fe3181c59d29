# ruff: noqa: UP031, E501 - documents are full of braces, and long
from typing import Any

import pytest
from graphql import GraphQLSchema, build_schema, get_introspection_query, parse

from execution.cost import price
from execution.limits import Limits, Price, TooCostly, check, check_text
from execution.list_lengths import LARGEST
from execution.selections import Cyclic
from schema import schema as plaudit

SMALL: GraphQLSchema = build_schema("""
  type Query { me: User  users(ids: [ID!]!): [User]  node(id: ID!): Node  find(by: By): [User] }
  type Mutation { add(ids: [ID!]!): User }
  interface Node { id: ID! }
  type User implements Node { id: ID!  name: String  friends(first: Int = 10, after: String): Page
    all(first: Int): Page }
  type Page { nodes: [User!]!  more: Boolean }
  input By { ids: [ID!]  name: String }
""")
PERSON = "id handle displayName avatarUrl bio createdAt followerCount followingCount friendCount viewerRelation"


def of(query: str, operation: str | None = None, **variables: Any) -> Price:
    return price(SMALL, parse(query), operation, variables)


def cost(query: str, operation: str | None = None, **variables: Any) -> int:
    return of(query, operation, **variables).cost


def test_every_field_costs_one_for_each_of_its_parents() -> None:
    assert cost("{ me { id name } }") == 3
    assert cost("{ me { friends(first: 5) { more nodes { id name } } } }") == 1 + 1 + 5 * (1 + 1 + 2)
    assert cost("{ users(ids: [1, 2, 3]) { id friends(first: 5) { more } } }") == 1 + 3 * (1 + 1 + 5)


@pytest.mark.parametrize("root", ["reactableChanged(ids: $i) { ...F }", "...Root"])
def test_an_event_costs_what_one_object_costs(root: str) -> None:
    query = f"""subscription ($i: [ID!]!) {{ {root} }} fragment Root on Subscription {{ reactableChanged(ids: $i) {{ ...F }} }}
      fragment F on Post {{ text author {{ posts(first: 5) {{ nodes {{ id }} }} }} }}"""

    found = price(plaudit.graphql_core, parse(query), None, {"i": ["Post:1"] * 20})

    assert (found.cost, found.event_cost) == (1 + 20 * 13, 1 + 13)


def test_a_price_has_all_measures_of_a_document() -> None:
    found = of(
        "query ($yes: Boolean! = true) { me { id x: name @include(if: $yes) ... @skip(if: $yes) { id } } node(id: 1) { id } }"
    )
    assert found == Price(
        cost=6,
        event_cost=6,
        depth=2,
        root_fields=2,
        fields=6,
        aliases=1,
        directives=2,
        repeated=2,
        definitions=1,
        comparisons=3,
        visits=10,
        literals=3,
        values=1,
    )


@pytest.mark.parametrize(
    ("asked", "times"),
    [("first: 3", 3), ("first: $n", 7), ("", 10), ("first: $absent", 10), ("first: $default", 4), ("first: 0", 1)]
    + [(f"first: {wrong}", LARGEST) for wrong in ('"3"', "true", "null", "[3]", "$null", "$text", "9" * 5000, "$huge")]
    + [("first: -1", 1)],
)
def test_a_page_multiplies_by_its_size_and_by_the_maximum_if_the_size_is_invalid(asked: str, times: int) -> None:
    friends = f"friends({asked})" if asked else "friends"
    query = "query ($n: Int, $absent: Int, $default: Int = 4) { me { %s { more } } }" % friends
    assert cost(query, n=7, null=None, text="3", huge=10**5000) == 2 + times


def test_a_page_without_size_counts_as_the_largest_default() -> None:
    assert cost("{ me { all { more } } }") == 2 + LARGEST


@pytest.mark.parametrize(
    ("asked", "times"),
    [("", 20), ("(first: 5)", 5), ("(first: null)", 20), ("(first: null, last: 40)", 40), ("(last: 70)", 70)],
)
def test_a_list_that_is_read_both_ways_counts_as_the_larger_size_and_as_twenty_without_sizes(
    asked: str, times: int
) -> None:
    assert price(plaudit.graphql_core, parse("{ square%s { nodes { id } } }" % asked), None, {}).cost == 1 + 2 * times


@pytest.mark.parametrize(
    "asked",
    ['searchTopics(query: "a", first: 1)', 'suggestHandles(prefix: "a", first: 1)', 'topics(prefix: "a", first: 1)'],
)
def test_lists_for_a_text_that_a_user_types_cost_ten_points(asked: str) -> None:
    assert price(plaudit.graphql_core, parse("{ %s { __typename } }" % asked), None, {}).cost == 10 + 1


def test_lists_of_ids_multiply_by_their_length_in_literals_and_variables() -> None:
    assert cost("query ($i: [ID!]!) { users(ids: $i) { id } }", i=["a"] * 20) == 1 + 20
    assert cost("query ($i: [ID!]! = [1, 2]) { users(ids: $i) { id } }") == 1 + 2
    assert cost('{ users(ids: "a") { id } }') == 1 + 1
    assert cost("query ($i: [ID!]!) { users(ids: $i) { id } }", i=17) == 1 + LARGEST
    assert cost("query ($i: [ID!]!) { users(ids: $i) { id } }", i=["a"] * 1200) == 1 + LARGEST
    assert cost('{ find(by: {ids: [1, 2, 3], name: "x"}) { id } }') == 1 + 3
    assert cost("query ($i: [ID!]) { find(by: {ids: $i}) { id } }", i=["a"] * 4) == 1 + 4
    assert cost("query ($by: By) { find(by: $by) { id } }", by={"ids": ["a"] * 5}) == 1 + 5


def test_directives_do_not_reduce_the_cost() -> None:
    hidden = cost("{ me @skip(if: true) { friends(first: 5) @include(if: false) { ... @skip(if: true) { more } } } }")
    assert hidden == cost("{ me { friends(first: 5) { more } } }")


def test_fragments_count_for_each_spread_and_are_visited_once() -> None:
    fragment = "fragment F on User { id name friends(first: 2) { more } }"  # 3 fields, 2 below
    spreads = " ".join(f"a{i}: me {{ ...F }}" for i in range(50))
    found = of(f"{{ {spreads} }} {fragment}")
    assert found.cost == 50 * (1 + 5)
    assert found.fields == 50 * (1 + 4)
    assert found.visits == 50 * 2 + 4 + 1
    assert (found.depth, found.root_fields, found.definitions) == (3, 50, 2)


def test_a_fragment_counts_once_in_one_selection_set_like_in_execution() -> None:
    assert cost("{ me { ...F ...F ... { ...F } } } fragment F on User { id name }") == 3


def test_root_fields_within_fragments_are_root_fields() -> None:
    assert of("{ ...Q a: me { id } } fragment Q on Query { me { id } ... { b: me { id } } }").root_fields == 3


def test_fields_with_one_response_key_are_counted_at_all_levels() -> None:
    assert of("{ me { id } }").repeated == 1
    assert of("{ me { id id } me { id } }").repeated == 3
    assert of("{ a: me { id } b: me { id } }").repeated == 1
    assert of("{ me { ...F id } } fragment F on User { id id }").repeated == 3


def test_the_named_operation_is_priced_or_else_the_most_expensive_one() -> None:
    both = "query Cheap { me { id } } query Dear { me { id name } node(id: 1) { id } }"
    assert cost(both, "Cheap") == 2
    assert cost(both, "Dear") == cost(both) == 5
    assert of(both, "Cheap").fields == 7


def test_unknown_fields_have_a_price() -> None:
    assert cost("{ nothing(first: 5) { here { is } } ... on Nowhere { id } }") == 1 + 5 * 2 + 1
    assert cost("{ me { ...Missing id } }") == 2
    assert cost("subscription { posts { id } }") == 2


@pytest.mark.parametrize(
    "query",
    [
        "{ me { ...A } } fragment A on User { ...A }",
        "{ me { ...A } } fragment A on User { ...B } fragment B on User { friends { nodes { ...A } } }",
        "{ me { id } } fragment A on User { ... { ...B } } fragment B on User { ...A }",
    ],
)
def test_recursive_fragments_are_refused(query: str) -> None:
    with pytest.raises(Cyclic, match=r"The fragment [AB] contains itself\."):
        of(query)


@pytest.mark.parametrize(
    "name",
    [
        "cost",
        "depth",
        "root_fields",
        "fields",
        "aliases",
        "directives",
        "repeated",
        "definitions",
        "literals",
        "comparisons",
        "visits",
        "values",
    ],
)
def test_each_limit_can_be_reached_and_names_itself_when_it_is_exceeded(name: str) -> None:
    check(Price(**{name: 7}), Limits(**{name: 7}))
    with pytest.raises(TooCostly, match=rf"limit of 7 for its {name.replace('_', ' ')}: it has 8") as refused:
        check(Price(**{name: 8}), Limits(**{name: 7}))
    assert (refused.value.has, refused.value.limit) == (8, 7)


def test_a_document_has_a_maximum_length_before_it_is_parsed() -> None:
    check_text("x" * 10, Limits(characters=10))
    with pytest.raises(TooCostly, match="limit of 10 for its characters: it has 11"):
        check_text("x" * 11, Limits(characters=10))


@pytest.mark.parametrize(
    ("query", "variables"),
    [
        (get_introspection_query(descriptions=True, input_value_deprecation=True), {}),
        (
            "query ($k: [String!]!) { entities(business: %r, keys: $k) { id likeCount dislikeCount viewerReaction viewCount"
            " shareCount commentsClosed business key title url owner { %s } likedByFollowed { %s }"
            " likers(first: 20) { pageInfo { hasNextPage endCursor } edges { cursor createdAt node { %s } } } } }"
            % ("video", PERSON, PERSON, PERSON),
            {"k": ["key"] * 50},
        ),
        (
            "query ($k: [String!]!) { users(externalIds: $k) { %s followers(first: 5) { nodes { %s } } } }"
            % (PERSON, PERSON),
            {"k": ["key"] * 20},
        ),
    ],
)
def test_realistic_queries_leave_a_quarter_of_every_limit(query: str, variables: dict[str, Any]) -> None:
    found, limits = price(plaudit.graphql_core, parse(query.replace("'", '"')), None, variables), Limits()
    for name in Price.__slots__:
        if name not in ("visits", "event_cost"):  # event_cost is at most the cost
            assert getattr(found, name) <= getattr(limits, name) * 3 / 4, name


def test_definitions_that_do_not_run_have_a_cost() -> None:
    others = " ".join(f"query Q{i} {{ viewer {{ user {{ id handle bio createdAt }} }} }}" for i in range(40))
    document = "query A { __typename } " + others

    assert price(plaudit.graphql_core, parse(document), "A", None).cost == (1 + 40 * 6) // 4
