"""Only dependencies/ uses parts that a library does not promise to keep: private names, undocumented modules, and
classes whose inside is undocumented. Other code imports these parts from there.
"""

import ast
import inspect
import sys
import textwrap
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from prometheus_client import Counter, Gauge, Histogram

from dependencies.graphql import Executor
from dependencies.redis import Connection
from dependencies.strawberry import Schema
from dependencies.uvicorn import HttpProtocol, RequestResponseCycle, Server

ROOT = Path(__file__).parents[2]
ROOM = ROOT / "dependencies"
DOCUMENTED = {
    "asyncpg": {"asyncpg"},
    "graphql": {"graphql", "graphql.utilities"},
    "prometheus_client": {
        "prometheus_client",
        "prometheus_client.core",
        "prometheus_client.parser",
        "prometheus_client.registry",
    },
    "redis": {
        "redis",
        "redis.asyncio",
        "redis.asyncio.cluster",
        "redis.asyncio.retry",
        "redis.asyncio.sentinel",
        "redis.backoff",
        "redis.cluster",
        "redis.commands",
        "redis.exceptions",
        "redis.retry",
    },
    "sqlalchemy": {
        "sqlalchemy",
        "sqlalchemy.dialects",
        "sqlalchemy.dialects.postgresql",
        "sqlalchemy.dialects.postgresql.asyncpg",
        "sqlalchemy.engine",
        "sqlalchemy.exc",
        "sqlalchemy.ext.asyncio",
        "sqlalchemy.schema",
    },
    "starlette": {
        "starlette.applications",
        "starlette.datastructures",
        "starlette.middleware",
        "starlette.middleware.cors",
        "starlette.middleware.gzip",
        "starlette.requests",
        "starlette.responses",
        "starlette.routing",
        "starlette.staticfiles",
        "starlette.types",
        "starlette.websockets",
    },
    "strawberry": {"strawberry", "strawberry.schema.config", "strawberry.types.scalar"},
    "typer": {"typer", "typer.exceptions", "typer.testing"},
    "uvicorn": {"uvicorn"},
    "websockets": {"websockets", "websockets.asyncio.client", "websockets.exceptions"},
}
"""The modules of each library that its documentation names. Add one only if it does."""
PUBLIC = {"_asdict", "_exit", "_fields", "_make", "_replace"}
"""Documented names that begin with an underscore: of named tuples and of `os`. Names that also end with one, such as
`_name_` of an enum, are documented, too.
"""
BY_NAME = {"attrgetter", "delattr", "getattr", "hasattr", "setattr"}
"""Functions whose arguments name attributes."""
HELD = (Counter, Gauge, Histogram, Executor, HttpProtocol, RequestResponseCycle, Schema, Server, Connection)
"""Classes of libraries whose objects tests have. Some private names of theirs are also names of our own."""
EXCEPTIONS = {
    ("tests/ops/series.py", "uses has_labels._labelnames"): "no method tells the names of labels",
    ("tests/ops/series.py", "uses REGISTRY._names_to_collectors"): "no method tells the collectors of a registry",
    **{
        ("tests/store/postgres/test_arrays.py", f"uses {what}"): "sees what every connection of a process asks"
        for what in (
            "asyncpg.Connection._introspect_types",
            "monkeypatch.setattr(asyncpg.Connection, '_introspect_types', count)",
        )
    },
}


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("_") and name not in PUBLIC


def sources() -> Iterator[Path]:
    """Yields all modules of the project outside of the room."""
    for top in sorted(ROOT.iterdir()):
        if top.suffix == ".py":
            yield top
        elif not top.name.startswith(".") and top not in (ROOM, ROOT / "build", ROOT / "dist"):
            yield from sorted(one for one in top.rglob("*.py") if "node_modules" not in one.parts)


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def tops() -> frozenset[str]:
    """Returns the names of our own top-level modules. Our folder of migrations is not one: `alembic` is the library."""
    return frozenset({path.relative_to(ROOT).parts[0].removesuffix(".py") for path in sources()} | {ROOM.name}) - {
        "alembic"
    }


def is_library(module: str) -> bool:
    top = module.partition(".")[0]
    return top not in tops() and top not in sys.stdlib_module_names


def defined(module: ast.AST) -> set[str]:
    """Returns the private names that a module defines: of functions, classes, variables and attributes."""
    names = set[str]()
    for node in ast.walk(module):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                names.add(name)
    return {name for name in names if is_private(name)}


@cache
def taken() -> frozenset[tuple[str, str]]:
    """Returns the parts of the room: the library and the name of each."""
    return frozenset((path.stem, name) for path in ROOM.glob("*.py") for name in parts(tree(path)))


def parts(module: ast.Module) -> Iterator[str]:
    """Yields the names in `__all__` of a module, and its functions and classes."""
    for node in module.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List(elts=names)):
                yield from map(ast.literal_eval, names)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name


def findings(source: ast.AST, own: Iterable[str]) -> Iterator[str]:
    """Yields the violations in a module. `own` has the private names of objects of our own."""
    for node in ast.walk(source):
        match node:
            case ast.Import(names=names):
                for alias in names:
                    yield from _import(alias.name, "")
            case ast.ImportFrom(module=str(module), names=names, level=0):
                for alias in names:
                    yield from _import(module, alias.name)
            case ast.Attribute(value=ast.Name(id=library), attr=name) if (library, name) in taken():
                yield f"imports {library}.{name} itself"
        yield from (f"uses {ast.unparse(node)}" for name in _attributes(node) if is_private(name) and name not in own)


def _import(module: str, name: str) -> Iterator[str]:
    if not is_library(module):
        return
    library = module.partition(".")[0]
    if any(map(is_private, [*module.split("."), name])):
        yield f"imports {module}.{name}"
    elif module not in DOCUMENTED.get(library, {module}) and f"{module}.{name}" not in DOCUMENTED.get(library, set()):
        yield f"imports {module}, which {library} does not document"
    elif (library, name) in taken():
        yield f"imports {module}.{name} itself"


def _attributes(node: ast.AST) -> Iterator[str]:
    """Yields the names of the attributes of other objects that an expression uses."""
    match node:
        case ast.Attribute(value=ast.Name(id="self" | "cls")):
            return
        case ast.Attribute(value=ast.Call(func=ast.Name(id="super"))):
            return  # classes are checked below
        case ast.Attribute(attr=attribute):
            yield attribute
        case ast.Call(func=ast.Name(id=function) | ast.Attribute(attr=function), args=args) if function in BY_NAME:
            for one in args:
                if isinstance(one, ast.Constant) and isinstance(one.value, str):
                    yield from one.value.split(".")


@cache
def private_names(class_: type) -> frozenset[str]:
    """Returns the private names that a class of a library defines or uses in its methods."""
    names = {*vars(class_)}
    try:
        parsed = ast.parse(textwrap.dedent(inspect.getsource(class_)))
    except (OSError, TypeError):  # it is not written in Python
        parsed = ast.Module([], [])
    names |= {one.attr for one in ast.walk(parsed) if isinstance(one, ast.Attribute)}
    return frozenset(filter(is_private, names))


def inherited(class_: type) -> Iterator[str]:
    """Yields the private names of its bases in libraries that a class of ours uses or overrides."""
    node = ast.parse(textwrap.dedent(inspect.getsource(class_)))
    used = defined(node) | {
        one.attr
        for one in ast.walk(node)
        if isinstance(one, ast.Attribute)
        and ast.unparse(one.value).startswith(("self", "cls", "super()"))
        and is_private(one.attr)
    }
    for base in class_.__mro__[1:]:
        if is_library(base.__module__):
            yield from (f"{class_.__name__} uses {base.__name__}.{name}" for name in sorted(used & private_names(base)))


def classes(path: Path) -> Iterator[type]:
    """Yields the classes of a module that have bases. Imports the module."""
    nodes = [node for node in tree(path).body if isinstance(node, ast.ClassDef) and node.bases]
    if nodes:
        module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
        yield from (getattr(module, node.name) for node in nodes)


def test_no_module_outside_the_room_uses_undocumented_parts() -> None:
    of_libraries = set[str]().union(*(private_names(base) for class_ in HELD for base in class_.__mro__[:-1]))
    everywhere = set[str]().union(*(defined(tree(path)) for path in sources())) - of_libraries
    found = set[tuple[str, str]]()
    for path in sources():
        name = str(path.relative_to(ROOT))
        # Tests look inside our own objects. Other modules use only their own private names.
        own = everywhere if path.relative_to(ROOT).parts[0] in ("tests", "bench") else defined(tree(path))
        found |= {(name, what) for what in findings(tree(path), own)}

    assert sorted(found - EXCEPTIONS.keys()) == [], "take these parts in dependencies/, or add exceptions with reasons"
    assert sorted(EXCEPTIONS.keys() - found) == [], "remove unused exceptions"


def test_no_class_outside_the_room_uses_or_overrides_private_names_of_its_bases() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {what}"
        for path in sources()
        if path.relative_to(ROOT).parts[0] not in ("alembic", "docs", "tests")
        for class_ in classes(path)
        for what in inherited(class_)
    ]

    assert found == []


def test_every_part_of_the_room_is_used() -> None:
    used = {
        (node.module, alias.name)
        for path in sources()
        if path.relative_to(ROOT).parts[0] != "tests"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }

    assert {f"{library}.{name}" for library, name in taken() if (f"dependencies.{library}", name) not in used} == set()


def test_every_module_of_the_room_has_a_test_and_says_what_to_do() -> None:
    modules = [path for path in ROOM.glob("*.py") if path.stem != "__init__"]

    assert {path.stem for path in modules} <= DOCUMENTED.keys()
    for path in modules:
        text = ast.get_docstring(tree(path)) or ""
        for part in ("**What.**", "**Why.**", "**Test.**", "**Upgrade.**", "To do without"):
            assert part in text, f"{path.name} does not say {part}"
        assert Path(__file__).with_name(f"test_{path.stem}.py").exists()


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("from uvicorn._types import Scope", "imports uvicorn._types.Scope"),
        ("import redis._parsers", "imports redis._parsers."),
        (
            "from redis.asyncio.connection import parse_url",
            "imports redis.asyncio.connection, which redis does not document",
        ),
        ("from psutil import _common", "imports psutil._common"),
        ("from graphql import Executor", "imports graphql.Executor itself"),
        ("import uvicorn\nclass A(uvicorn.Server): pass", "imports uvicorn.Server itself"),
        ("query = schema._schema.query_type", "uses schema._schema"),
        ("connection.driver_connection._protocol = None", "uses connection.driver_connection._protocol"),
        ("writer = getattr(connection, '_writer')", "uses getattr(connection, '_writer')"),
        ("transport = attrgetter('_writer.transport')", "uses attrgetter('_writer.transport')"),
    ],
)
def test_each_kind_of_violation_is_found(source: str, what: str) -> None:
    assert what in set(findings(ast.parse(source), set()))


@pytest.mark.parametrize(
    "source",
    [
        "from dependencies.graphql import Executor",
        "import uvicorn\nconfig = uvicorn.Config(app)",
        "later = row._replace(title=title)",
        "name = attrgetter('_name_')",
        "class Own:\n    def copy(self, other):\n        self._rows = other._rows",
    ],
)
def test_permitted_code_is_not_a_violation(source: str) -> None:
    parsed = ast.parse(source)
    assert list(findings(parsed, defined(parsed))) == []


def test_private_names_of_bases_are_found() -> None:
    class Overriding(Gauge):
        def _child_samples(self) -> tuple[()]:
            return ()

    class Using(Gauge):
        def now(self) -> object:
            return self._value

    assert list(inherited(Overriding)) == [
        "Overriding uses Gauge._child_samples",
        "Overriding uses MetricWrapperBase._child_samples",
    ]
    assert "Using uses Gauge._value" in list(inherited(Using))
