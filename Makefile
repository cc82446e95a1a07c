# Two commands set everything up: `make demo` shows the main job, `make test` runs everything.
# Nothing is installed by hand; python3 >= 3.11, cargo, a C linker and the package registries are enough.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= python3
JOBS ?= 2
VENV := .venv
BIN := $(VENV)/bin
# One target directory for the wheel, the tests and the lints.
export CARGO_TARGET_DIR ?= $(CURDIR)/target
export PYO3_PYTHON := $(CURDIR)/$(BIN)/python
export PIP_DISABLE_PIP_VERSION_CHECK := 1
unexport PYTHONPATH

# Directories are among the sources, so that a removed file counts as a change.
SOURCES := Cargo.toml Cargo.lock pyproject.toml README.md \
	$(shell find crates python -name __pycache__ -prune -o \( -type f -o -type d \) -print)
# Stamps live in the environment they speak of: removing .venv removes them.
PACKAGES := $(VENV)/.packages
WHEEL := $(VENV)/.wheel
SCHEMAS := node_modules/.package-lock.json

.PHONY: help build demo test test-rust test-python bench bench-files bench-report guard guard-accept profile soak fuzz lint system npm \
	lock clean

help: ## show this list
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

build: $(WHEEL) ## make .venv with the locked packages and the release build

demo: build ## write a catalogue of 200,000 URLs as sitemaps and read them back
	@$(BIN)/python -m urlset._demo

test: build system npm ## install what the tests need, then run every check and test
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory test-rust
	@$(MAKE) --no-print-directory test-python
	@echo "make test: everything passed"

test-rust: ## the core alone, without Python
	cargo test --locked -p urlset

test-python: build ## the package, the layers, the pages
	$(BIN)/python -m pytest -n $(JOBS)

# What of it, which inputs, how many processes of each. CORE and DIST are builds to measure instead of those of this tree.
ONLY ?=
SEED ?= 42
ROUNDS ?= 3
DIST ?= dist/urlset-*.whl

bench: $(if $(filter file,$(origin DIST)),build,$(BIN)/python) ## measure beside rivals and floors; ONLY="R1 lxml", SEED=42, ROUNDS=3
	@$(BIN)/python -m bench run --wheel $(DIST) $(if $(CORE),--core $(CORE)) --only "$(ONLY)" --seed $(SEED) --rounds $(ROUNDS)

bench-files: $(BIN)/python ## the reader beside the walk on files of your own: FILES="a.xml b.xml.gz"
	@$(BIN)/python -m bench files $(if $(CORE),--core $(CORE)) $(FILES)

bench-report: $(BIN)/python ## render tables and plot from the latest results
	@$(BIN)/python -m bench report

# How many kills of a writer, ends of a process in the middle of reading, and times the usual random cases in the core.
KILLS ?= 200
EXITS ?= 200
SOAK ?= 50

soak: build ## the long tests: KILLS=200 kills of a writer, EXITS=200 ends while reading, SOAK=50 times the random cases, memory of every family
	URLSET_KILLS=$(KILLS) $(BIN)/python -m pytest tests/test_publish.py -k killed
	URLSET_EXITS=$(EXITS) $(BIN)/python -m pytest tests/test_ahead.py -k ends_in_the_middle
	URLSET_SOAK=$(SOAK) cargo test --locked -p urlset --test scan --test oracle --test damage
	cargo test --locked -p urlset --test memory -- --ignored --exact memory_stays_flat_in_every_family

# Needs the nightly compiler, which `rustup toolchain install nightly` brings. Debug assertions and checks of overflow stay on.
# Code that is safe needs no sanitizer; where `unsafe` stands, SANITIZER=address TARGETS=... runs those that reach it.
# Corpora, logs, finds and counts lie below target/corpus; a later run goes on there.
SECONDS_EACH = $(if $(filter environment command%,$(origin SECONDS)),$(SECONDS),60)
TARGETS ?=
SANITIZER ?=

fuzz: ## every fuzz target for SECONDS=60 each, on from where the last run ended; TARGETS="a b" for some
	cd crates/urlset/fuzz && CARGO_TARGET_DIR=$(CARGO_TARGET_DIR)/fuzz$(SANITIZER:%=-%) $(SANITIZER:%=RUSTFLAGS=-Zsanitizer=%) \
		cargo +nightly build --quiet --release --locked $(addprefix --bin=,$(TARGETS)) \
		$(SANITIZER:%=--no-default-features --target=$(shell uname -m)-unknown-linux-gnu)
	@$(PYTHON) crates/urlset/fuzz/run.py --seconds $(SECONDS_EACH) $(SANITIZER:%=--sanitizer=%) $(TARGETS)

guard: ## instructions of small workloads beside their baseline; `make test` fails where one is 5 % off
	@$(PYTHON) -m bench.guard

guard-accept: ## make the instructions of now the baseline
	@$(PYTHON) -m bench.guard --accept

INFERNO := $(CARGO_TARGET_DIR)/tools/bin/inferno-flamegraph

profile: $(INFERNO) ## flame graphs of reading and writing, below target/profile
	@$(PYTHON) -m bench.flames $(dir $(INFERNO)) $(CARGO_TARGET_DIR)/profile

$(INFERNO):
	cargo install inferno --version 0.12.8 --locked --root $(CARGO_TARGET_DIR)/tools

lint: build ## formatting, lints, types, layers
	@.ci/rust-components
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest urlset._core --mypy-config-file pyproject.toml
	$(BIN)/lint-imports --no-cache

system: ## the programs that tests start (apt-get when root)
	@.ci/system-packages

npm:
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(SCHEMAS); \
	else echo "npm is missing: tests against the official schema files cannot run" >&2; fi

lock: $(BIN)/python ## write the lock files anew; UPGRADE=--upgrade takes the newest versions
	$(BIN)/python -m pip install --quiet uv==0.13.8
	$(BIN)/uv pip compile $(LOCK) pyproject.toml requirements/build.in -o requirements/build.txt
	$(BIN)/uv pip compile $(LOCK) -c requirements/build.txt requirements/test.in -o requirements/test.txt
	$(BIN)/uv pip compile $(LOCK) bench/requirements.in -o bench/requirements.txt
	npm install --package-lock-only --ignore-scripts --no-audit --no-fund
	npm install --prefix bench/rivals/node --package-lock-only --ignore-scripts --no-audit --no-fund
	cargo update $(if $(UPGRADE),,--workspace)
	cargo update --manifest-path bench/rivals/rust/Cargo.toml $(if $(UPGRADE),,--workspace)
	$(if $(shell command -v go),cd bench/rivals/go && go mod tidy)

LOCK = --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
	--custom-compile-command "make lock" $(UPGRADE)

clean: ## remove everything that was made
	rm -rf $(VENV) dist demo demo-catalogue.sqlite node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis
	cargo clean

$(BIN)/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(0 if v >= (3, 11) else \
	f"urlset needs Python 3.11 or later, {sys.executable} is {v[0]}.{v[1]}: make PYTHON=/path/to/python3 ...")'
	$(PYTHON) -m venv $(VENV)

$(PACKAGES): requirements/build.txt requirements/test.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/build.txt -r requirements/test.txt
	@touch $@

$(WHEEL): $(PACKAGES) $(SOURCES)
	@rm -rf dist
	$(BIN)/maturin build --release --locked --interpreter $(BIN)/python --out dist
	$(BIN)/python -m pip install --quiet --no-index --no-deps --force-reinstall dist/urlset-*.whl
	@touch $@

$(SCHEMAS): package.json package-lock.json
	npm ci --ignore-scripts --no-audit --no-fund
	@touch $@
