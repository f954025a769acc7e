# Tracewright: a short table of verbs. `make` alone sets up, generates, co-simulates and reports.

DESIGN   ?= traptor-m4
WORKLOAD ?= workloads/arm-stringsearch.pet.zst
TARGET   := $(if $(CARGO_TARGET_DIR),$(CARGO_TARGET_DIR),target)
TRACEWRIGHT := $(TARGET)/release/tracewright
# Where scripts/setup puts the tools that come from PyPI.
export PATH := $(CURDIR)/build/venv/bin:$(PATH)

.PHONY: all help setup build generate cosim report test check lint regress coverage packages mutations bench fuzz diagrams clean ci

all: report

help:
	@echo 'make            set up, generate $(DESIGN), co-simulate it on a real trace, report'
	@echo 'make build      the tracewright command, in $(TRACEWRIGHT)'
	@echo 'make generate   generated_verilog/ and docs/formats.md from the source'
	@echo 'make cosim      $(DESIGN) in Verilator against the golden model on $(WORKLOAD)'
	@echo 'make test       every test, the linters, and that what is generated is current'
	@echo 'make regress    every preset on every workload, 200 synthetic programs, 60 random designs a scheme;'
	@echo '                the results are in build/regress/junit.xml too'
	@echo 'make coverage   docs/coverage.md: lines, branches and toggles of every module'
	@echo 'make packages   every preset as a package: its own testbench, FuseSoC, IP-XACT'
	@echo 'make mutations  do the tests notice faults? one at a time into the Verilog'
	@echo 'make bench      events and clocks a second'
	@echo 'make fuzz       the decoder and the file readers, a minute each (SECONDS=600: ten)'
	@echo 'make diagrams   docs/diagrams/*.svg from the .dot (needs Graphviz) and .json beside them'
	@echo 'make lint       rustfmt and clippy'
	@echo 'DESIGN=... WORKLOAD=... choose others'

setup:
	@scripts/setup

build: setup
	@cargo build --release --quiet

generate: build
	$(TRACEWRIGHT) generate --all
	$(TRACEWRIGHT) designs --formats > docs/formats.md

cosim: build
	$(TRACEWRIGHT) cosim $(DESIGN) $(WORKLOAD) --stall random

report: build
	$(TRACEWRIGHT) generate $(DESIGN) -o build
	@echo
	$(TRACEWRIGHT) cosim $(DESIGN) $(WORKLOAD) --stall random
	@echo
	$(TRACEWRIGHT) measure --design $(DESIGN) $(WORKLOAD)
	@echo
	$(TRACEWRIGHT) designs $(DESIGN)

test: setup lint check
	cargo test --release --workspace --quiet
	@mkdir -p build/regress
	$(TRACEWRIGHT) regress --quick --junit build/regress/junit.xml
	$(TRACEWRIGHT) coverage --check

check: build
	$(TRACEWRIGHT) generate --all --check
	@$(TRACEWRIGHT) designs --formats | diff -u docs/formats.md - || { echo 'docs/formats.md is not current: make generate' >&2; exit 1; }

lint:
	cargo fmt --all -- --check
	cargo clippy --release --workspace --all-targets --quiet -- -D warnings

regress: build
	@mkdir -p build/regress
	$(TRACEWRIGHT) regress --junit build/regress/junit.xml

coverage: build
	@mkdir -p build
	$(TRACEWRIGHT) coverage --markdown > build/coverage.md
	mv build/coverage.md docs/coverage.md

packages: setup
	cargo test --release -p tracewright-packaging -- --include-ignored

mutations: setup
	cargo test --release -p tracewright-testbench --test mutations -- --nocapture

bench: setup
	cargo bench -p tracewright --bench speeds

fuzz: setup
	fuzz/run $(SECONDS)

diagrams: setup
	for drawing in docs/diagrams/*.dot; do dot -Tsvg $$drawing -o $${drawing%.dot}.svg || exit 1; done
	python3 docs/diagrams/timing.py

ci: test

clean:
	rm -rf build $(TARGET)
