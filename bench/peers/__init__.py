"""Compares Plaudit with a GraphQL server in JavaScript, the peer, which answers the same queries from the same stores.

The peer is Fastify with Mercurius and graphql-jit, one of the fastest GraphQL servers for JavaScript. It is in
`server/`, whose README says what it does. It needs Node 20 with npm. The load generator wrk sends the requests.

All servers read from Redis, as everywhere in the benchmarks: local copies of hot values are off. All servers have one
process. Before a page is measured, the answers of all servers are compared byte by byte. Then the servers take turns.
"""

from bench.machine import Machine
from bench.peers import likes, pages
from bench.results import Result


async def measure(machine: Machine) -> list[Result]:
    """Measures squares, home pages and likes per second, of Plaudit and of the servers that it is compared with."""
    return [*await pages.measure(machine), *await likes.measure(machine)]
