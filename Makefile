# Everything a developer does starts here; `make` alone lists it. Variables: ARGS (passed on), PYTHON (for setup).
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.up-to-date
SITE_VENV := build/site-venv
SITE_STAMP := $(SITE_VENV)/.up-to-date
WORKERS ?= 3
ARGS ?=
ON_CITUS := tests/store tests/workers tests/features
OLDEST_POSTGRES ?= /usr/lib/postgresql/15/bin
# For `plaudit` commands that talk to the system which `make run` started.
DATA ?= .data

.PHONY: help run quick test prove pictures newcomer bench seed migrate setup schema docs docs-site lock lint format typecheck imports files release clean

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: setup ## Start everything (Postgres, Valkey, API, workers) and print where it is; Ctrl-C stops it
	@exec $(BIN)/plaudit dev $(ARGS)

quick: setup ## Run the checks that a change most likely fails, in a minute: style, import rules, types, the nearest tests
	@$(BIN)/python -m runner.quick

test: setup ## Run the test suite
	@$(BIN)/pytest -n $(WORKERS) -m "not prove" $(ARGS) tests

prove: setup ## Run the slow proofs: races, crashes, load, the oldest supported servers
	@test -x $(OLDEST_POSTGRES)/postgres || \
		{ echo "Needs Postgres 15: apt-get install postgresql-15, or OLDEST_POSTGRES=<its bin directory>"; exit 1; }
	@$(BIN)/pytest -m prove --timeout 900 $(ARGS) tests
	@PLAUDIT_POSTGRES_BIN=$(OLDEST_POSTGRES) $(BIN)/pytest -n $(WORKERS) -m "not prove" $(ARGS) tests
	@if [ -n "$${PLAUDIT_CITUS_ARCHIVE-}" ]; then \
		PLAUDIT_TEST_CITUS=1 $(BIN)/pytest -n $(WORKERS) -m "not prove" --timeout 300 $(ARGS) $(ON_CITUS); \
	else echo "Without PLAUDIT_CITUS_ARCHIVE, nothing was run on Citus."; fi

pictures: setup ## Take the screenshots of the docs anew, in Chromium
	@folder=$$(mktemp -d); trap 'rm -rf "$$folder"' EXIT; \
	PLAUDIT_SCREENSHOTS=$$folder $(BIN)/pytest -m prove tests/web/*_screens.py tests/web/test_demo_states.py \
		tests/web/test_demo_switch.py tests/clients/react/test_looks.py; \
	for picture in docs/*/screens/*.png; do cp "$$folder/$${picture##*/}" "$$picture"; done

newcomer: setup ## Do what the README says, in a fresh clone with a clean environment
	@$(BIN)/python -m runner.newcomer

bench: setup ## Measure
	@$(BIN)/python -m bench $(ARGS)

seed: setup ## Fill the running system with a lively community
	@$(BIN)/plaudit seed --data-dir $(DATA) $(ARGS)

migrate: setup ## Bring the running system's tables up to date
	@$(BIN)/plaudit migrate --data-dir $(DATA) $(ARGS)

setup: $(STAMP) ## Make .venv as requirements.lock says

$(STAMP): requirements.lock pyproject.toml runner/setup.sh
	@bash runner/setup.sh $(VENV)
	@touch $@

schema: setup ## Print the schema to schema.graphql, whose changes are reviewed like code
	@$(BIN)/python -m schema > schema.graphql

docs: setup ## Generate the reference pages of settings, commands and error codes, and the Grafana dashboard
	@$(BIN)/python -m cli.reference
	@$(BIN)/python -m ops.dashboard

docs-site: setup $(SITE_STAMP) ## Build the docs of this version as a site in build/site, beside earlier versions; fails at a broken link
	@$(BIN)/python -m ops.site $(SITE_VENV)/bin/zensical build/site
	@echo "To read it: $(BIN)/python -m http.server --directory build/site --bind 127.0.0.1 8080"

$(SITE_STAMP): ops/site/requirements.lock
	@$(BIN)/python -m venv --clear $(SITE_VENV)
	@$(SITE_VENV)/bin/pip --quiet --disable-pip-version-check install --require-hashes -r $<
	@touch $@

lock: setup ## Renew the locks from pyproject.toml (ARGS=--upgrade for newer versions)
	@$(BIN)/uv pip compile pyproject.toml --extra otel --extra servers --group dev --universal --generate-hashes --no-annotate --no-header \
		--quiet --output-file requirements.lock $(ARGS)
	@$(BIN)/uv pip compile --group docs --python-version 3.11 --universal --generate-hashes --no-annotate --no-header \
		--quiet --output-file ops/site/requirements.lock $(ARGS)

lint: setup ## Style and likely mistakes
	@$(BIN)/ruff check . $(ARGS)
	@$(BIN)/ruff format --check .

format: setup ## Let ruff lay out the code and mend what it safely can
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

typecheck: setup ## Types, strictly
	@$(BIN)/mypy . $(ARGS)

imports: setup ## Which package may import which
	@$(BIN)/python -m runner.imports

files: setup ## Print every source file with its first sentence
	@$(BIN)/python -m runner.file_list

release: setup ## Build a release into dist, and print the commands that publish it (ARGS="--version 1.0.0-rc.1")
	@$(BIN)/python -m runner.release $(ARGS)

clean: ## Remove what can be made again (the data of `make run` in .data stays)
	@rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
