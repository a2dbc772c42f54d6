# A fresh machine needs Python 3.11 or newer and make; the rest goes into .venv.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
PEERS := .venv-peers
JOBS ?= 2

.PHONY: verify verify-full test test-all lint bench bench-peers ledger notebook clean

verify: $(READY)
	$(BIN)/provedp verify

verify-full: $(READY)
	$(BIN)/provedp verify --level full --mutants

test: $(READY)
	$(BIN)/python -m pytest -n $(JOBS) -m "not slow"

test-all: $(READY)
	$(BIN)/python -m pytest -n $(JOBS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)
	for file in tests/benchmarks/*.py; do $(BIN)/python $$file || exit 1; done

bench-peers: $(READY) $(PEERS)/ready
	$(BIN)/python tests/benchmarks/audit_peers.py --python $(PEERS)/bin/python
	$(BIN)/python tests/benchmarks/audit_sources.py --python $(PEERS)/bin/python

ledger: $(READY)
	$(BIN)/provedp verify --mutants --json ledger.json --markdown LEDGER.md

notebook: $(READY)
	$(BIN)/jupytext --quiet --update --to ipynb notebooks/*.py
	$(BIN)/jupyter-execute --inplace notebooks/*.ipynb

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c "import sys; sys.exit('provedp needs Python 3.11 or newer') if sys.version_info < (3, 11) else None"
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $(READY)

$(PEERS)/ready: tests/benchmarks/peers/requirements.lock
	test -x $(PEERS)/bin/python || $(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	touch $@

clean:
	rm -rf .venv $(PEERS) build *.egg-info
