//! Options of synthetic programs that contradict each other.

use tracewright_sim::event::{Isa, Machine};
use tracewright_sim::synthetic::{Options, Synthetic};

#[test]
fn illegal_options_are_refused() {
    let legal = Options::from_seed(0);
    let machine = |isa, alignment, address_bits| Machine { isa, alignment, address_bits };
    let arm = machine(Isa::Arm, 2, 32);
    for (options, message) in [
        (
            Options { machine: machine(Isa::RiscV, 0, 64), ..legal.clone() },
            "expected alignment 1 or 2 for RISC-V, found 0",
        ),
        (
            Options { machine: machine(Isa::X86, 1, 64), ..legal.clone() },
            "expected alignment 0 for x86, found 1",
        ),
        (
            Options { machine: machine(Isa::Arm, 2, 16), ..legal.clone() },
            "expected address_bits 32 or 64, found 16",
        ),
        (Options { functions: 0, ..legal.clone() }, "expected functions from 1 to 1024, found 0"),
        (
            Options { predictability: 101, ..legal.clone() },
            "expected predictability from 0 to 100, found 101",
        ),
        (
            Options { recursion_depth: 0, ..legal.clone() },
            "expected recursion_depth from 1 to 1000, found 0",
        ),
        (Options { threads: 9, ..legal.clone() }, "expected threads from 1 to 8, found 9"),
        (
            Options { data_accesses: 101, ..legal.clone() },
            "expected data_accesses from 0 to 100, found 101",
        ),
        (
            Options { machine: arm, code_base: 1 << 32, ..legal.clone() },
            "expected code_base within address_bits, found 4294967296",
        ),
        (
            Options { machine: arm, code_base: 2, ..legal.clone() },
            "expected code_base a multiple of 2^alignment, found 2",
        ),
        (
            Options { machine: arm, code_base: 0x1000, code_span: 1 << 32, ..legal.clone() },
            "expected code_span below 2^address_bits less code_base, found 4294967296",
        ),
    ] {
        let error = Synthetic::new(options).err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some(message));
    }
}
