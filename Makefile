# Two commands on a fresh machine with Python 3.11 or newer: make demo, make test.

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo test faults lint check bench docs clean

$(VENV)/.installed: pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(VENV)/.installed      ## a store, conversations in, facts and searches out
	@sh scripts/demo.sh $(BIN)/memoryctl

test: $(VENV)/.installed      ## every test
	$(BIN)/python -m pytest

PARTS = kills disk flips processes
IN_kills = kill kills kill_forgetting kill_import kill_keeping kill_learning
IN_disk = ballast disk_full failing_disk failing_restore failing_start forgetting_faults outcome read_only
IN_flips = damage flipped_bits forgotten_bytes redacted_bytes
IN_processes = forgetting_races forgotten_among_many lying_model many_processes one_library processes review_processes
PART ?= $(PARTS)

faults: $(VENV)/.installed    ## the long form of the faults, with its figures; PART=kills|disk|flips|processes for some
	@for part in $(PART); do case " $(PARTS) " in *" $$part "*) ;; \
		*) echo "There is no part $$part: PART is of $(PARTS), such as PART=\"kills disk\""; exit 2 ;; \
	esac; done
	PYTHONDONTWRITEBYTECODE=1 MEMORYCORE_LONG_TESTS=1 \
		$(BIN)/python -m pytest -vv -p no:cacheprovider --durations=5 \
		$(foreach part,$(PART),$(IN_$(part):%=tests/faults/test_%.py))

lint: $(VENV)/.installed      ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

check: lint test              ## style, types and every test

bench: $(VENV)/.installed     ## the benchmarks, as ratios within one run
	$(BIN)/python benchmarks/run.py

docs: $(VENV)/.installed      ## rewrite the generated pages
	$(BIN)/python -m pytest tests/repo --update-docs

clean:
	rm -rf $(VENV) .demo build dist .pytest_cache .mypy_cache .ruff_cache
