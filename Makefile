# A fresh machine needs Python 3.11 or newer and make; the rest goes into .venv: what the package
# needs for `make verify`, the development tools when a target first asks for them.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
TOOLS := .venv/tools
PEERS := .venv-peers
OPACUS := .venv-opacus
JOBS ?= 2
NEED_PEERS := $(patsubst %, tests/benchmarks/%.py, canaries_peers opacus_digits)
INSTALL := -m pip install --quiet --disable-pip-version-check
LOCK := --universal --generate-hashes --no-header --no-emit-package provedp --python-version 3.11

.PHONY: verify verify-full test test-all coverage lint docs bench bench-tables bench-peers ledger notebook lock clean

verify: $(READY)
	$(BIN)/provedp verify

verify-full: $(READY)
	$(BIN)/provedp verify --level full --mutants

test: $(TOOLS)
	$(BIN)/python -m pytest -n $(JOBS) -m "not slow"

test-all: $(TOOLS)
	$(BIN)/python -m pytest -n $(JOBS)

coverage: $(TOOLS)
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n $(JOBS) -m "not slow"
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

lint: $(TOOLS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The site, in build/docs; a warning is an error.
docs: $(TOOLS)
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs build/docs

# ONLY="channel audit" measures these operations alone; the others keep what was recorded.
bench: $(TOOLS)
	$(BIN)/python tests/benchmarks/report $(if $(ONLY),--only $(ONLY))

# Those that need an environment of the peers are left to bench-peers.
bench-tables: $(TOOLS)
	for file in $(filter-out $(NEED_PEERS), $(wildcard tests/benchmarks/*.py)); do \
		$(BIN)/python $$file || exit 1; done

bench-peers: $(TOOLS) $(PEERS)/ready $(OPACUS)/ready
	for name in accounting accountants canaries_peers audit_peers audit_sources; do \
		$(BIN)/python tests/benchmarks/$$name.py --python $(PEERS)/bin/python || exit 1; done
	$(BIN)/python tests/benchmarks/opacus_digits.py --python $(OPACUS)/bin/python

ledger: $(READY)
	$(BIN)/provedp verify --mutants --json provedp/ledger.json --markdown LEDGER.md --pages docs/papers

# Needs coqc and MathComp; without them it says which packages to install.
proofs: $(READY)
	$(BIN)/python -m provedp.verify.proving.build --jobs $(JOBS)

proofs-mutants: $(READY)
	$(BIN)/python -m provedp.verify.proving.build --jobs $(JOBS) --mutants

notebook: $(TOOLS)
	$(BIN)/jupytext --quiet --update --to ipynb notebooks/*.py
	$(BIN)/jupyter-execute --inplace notebooks/*.ipynb

# Needs uv; pins that still fit stay.
lock:
	uv pip compile --quiet $(LOCK) --output-file requirements.lock requirements.in
	uv pip compile --quiet $(LOCK) --output-file requirements-dev.lock requirements-dev.in

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c "import sys; sys.exit('provedp needs Python 3.11 or newer') if sys.version_info < (3, 11) else None"
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing what provedp needs into .venv: about 500 MB, once. This takes a minute or two."
	$(BIN)/python $(INSTALL) --require-hashes -r requirements.lock
	$(BIN)/python $(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(TOOLS): $(READY) requirements-dev.lock
	@echo "Installing the development tools into .venv: about 1000 MB more, once."
	$(BIN)/python $(INSTALL) --require-hashes -r requirements-dev.lock
	@touch $@

$(PEERS)/ready: tests/benchmarks/peers/requirements.lock
	test -x $(PEERS)/bin/python || $(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python $(INSTALL) --require-hashes -r $<
	touch $@

# No hashes: which build of torch fits depends on the machine.
$(OPACUS)/ready: tests/benchmarks/peers/opacus.txt
	test -x $(OPACUS)/bin/python || $(PYTHON) -m venv $(OPACUS)
	$(OPACUS)/bin/python $(INSTALL) -r $<
	touch $@

clean:
	rm -rf .venv $(PEERS) $(OPACUS) build dist *.egg-info .coverage*
