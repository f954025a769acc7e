//! The designs and whole units of `generated_verilog/`: those that a new user would start from.

use std::fmt::Write;

/// A preset that is kept in `generated_verilog/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartingPoint {
    /// The preset.
    pub preset: &'static str,
    /// What sets it apart from the others.
    pub reason: &'static str,
}

macro_rules! starting_points {
    ($($preset:literal => $reason:literal,)*) => {
        /// The designs that a new user would start from, by scheme.
        pub const STARTING_POINTS: &[StartingPoint] =
            &[$(StartingPoint { preset: $preset, reason: $reason }),*];
    };
}

starting_points! {
    "traptor-s0" => "256 gshare entries, no target prediction; small enough for an iCE40 HX8K",
    "traptor-s1" => "256 gshare entries, return address stack; the smallest with target prediction",
    "traptor-s2" => "256 gshare entries, return address stack, 16 indirect targets",
    "traptor-s3" => "256 gshare entries, return address stack, 32 indirect targets",
    "traptor-s4" => "256 gshare entries, return address stack, 64 indirect targets",
    "traptor-m0" => "512 gshare entries, no target prediction",
    "traptor-m1" => "512 gshare entries, return address stack",
    "traptor-m2" => "512 gshare entries, return address stack, 16 indirect targets",
    "traptor-m3" => "512 gshare entries, return address stack, 32 indirect targets",
    "traptor-m4" => "512 gshare entries, return address stack, 64 indirect targets; the first design to try",
    "traptor-b0" => "1024 gshare entries, no target prediction",
    "traptor-b1" => "1024 gshare entries, return address stack",
    "traptor-b2" => "1024 gshare entries, return address stack, 16 indirect targets",
    "traptor-b3" => "1024 gshare entries, return address stack, 32 indirect targets",
    "traptor-b4" => "1024 gshare entries, return address stack, 64 indirect targets; for large programs",
    "traptor-m4-fpga" => "traptor-m4 with tables that fit block RAM, for FPGAs",
    "talon-s" => "Talon in the gates of traptor-m4, with fewer bits",
    "talon-m" => "Talon in the gates of traptor-b4, with fewer bits; the fewest bits for the gates",
    "talon-xl" => "Talon with tables twice as large and a loop predictor",
    "talon-g" => "Talon with outcomes predicted by a sum of weights: fewer bits than talon-xl for fewer gates",
    "talon-m-fpga" => "talon-m with its tables read through registers, for FPGAs",
    "stream-base-32" => "32 streams, the plain records of paper A",
    "stream-base-128" => "128 streams, the plain records of paper A",
    "stream-ebase-32" => "32 streams, shorter records after a miss",
    "stream-ebase-128" => "128 streams, shorter records after a miss",
    "stream-rbase-32" => "32 streams in the smallest entries; the smallest stream cache",
    "stream-rbase-128" => "128 streams in the smallest entries; the first stream cache to try",
    "stream-rbase-1024" => "1024 streams in the smallest entries; for large programs",
    "ntuple-32x4" => "a second cache of tuples of streams",
    "ntuple-32x4-memory" => "the same with its tuples in memories, for a fifth of the gates",
    "stride-256" => "data addresses instead of control flow, direct-mapped",
    "stride-256x4" => "data addresses instead of control flow, four ways with tags",
    "talon-d" => "data addresses instead of control flow, with a coded confidence; the first design to try for them",
    "etrace-base" => "RISC-V E-Trace without optional extensions, for decoders of the standard",
    "etrace-base-fpga" => "etrace-base with registers between its steps, for FPGAs",
    "etrace-returns" => "RISC-V E-Trace with implicit return",
    "etrace-full" => "RISC-V E-Trace with implicit return, branch prediction and a jump target cache",
    "ntrace-htm" => "RISC-V N-Trace with branch histories and without optional extensions",
    "ntrace-btm" => "RISC-V N-Trace with a message for each taken branch",
    "nexs" => "no prediction, the records of a Nexus-like module; the smallest of all",
    "nexus-n1" => "no prediction, one core with the numbered pins of a design for several cores",
    "nexus-n4-timed" => "no prediction, four cores, time stamps",
    "mctraptor-small-n1" => "one core with the numbered pins of a design for several cores, small predictors",
    "mctraptor-small-n4" => "four cores, small predictors",
    "mctraptor-small-n4-timed" => "four cores, small predictors, time stamps",
    "mctraptor-medium-n2" => "two cores, medium predictors",
    "mctraptor-large-n4" => "four cores, large predictors",
}

/// A whole unit that is kept in `generated_verilog/`: a design with the core's port, registers and a sink around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WholeUnit {
    /// The name of its design.
    pub name: &'static str,
    /// The file that describes it, in TOML.
    pub file: &'static str,
    /// What it has.
    pub reason: &'static str,
}

/// A whole unit for each kind of bus, with different ports and sinks.
pub const WHOLE_UNITS: [WholeUnit; 2] = [
    WholeUnit {
        name: "traptor-m4-unit",
        file: "preset = \"traptor-m4\"\n\
               name = \"traptor-m4-unit\"\n\
               alignment = 1\n\
               trace_port_width = 8\n\
               [ingress]\n\
               port = \"rvfi\"\n\
               [control]\n\
               bus = \"apb\"\n\
               [ram_sink]\n\
               bytes = 4096\n",
        reason: "a whole unit: RVFI, control registers on APB, and a ring in a RAM of 4 KiB",
    },
    WholeUnit {
        name: "talon-m-unit",
        file: "preset = \"talon-m\"\n\
               name = \"talon-m-unit\"\n\
               alignment = 1\n\
               trace_port_width = 8\n\
               [ingress]\n\
               port = \"tip\"\n\
               [control]\n\
               bus = \"axi-lite\"\n\
               [sink]\n\
               port = \"atb\"\n",
        reason: "a whole unit: RISC-V's trace ingress port, control registers on AXI4-Lite, and a trace bus",
    },
];

/// A page that lists the starting points, for the folder that holds them.
pub fn index() -> String {
    let mut page = String::from(
        "# Generated Verilog\n\n\
         Written by `tracewright generate --starting-points`. Each folder holds one design: its Verilog in one file, \
         a manifest with its parameters and ports, a FuseSoC core, an IP-XACT component, wrappers, and a testbench \
         ([docs/integration.md](../docs/integration.md)). `tracewright designs` lists every preset, and \
         `tracewright generate NAME -o DIR` writes any of them.\n\n\
         | design | what it has |\n|---|---|\n",
    );
    let presets = STARTING_POINTS.iter().map(|one| (one.preset, one.reason));
    let units = WHOLE_UNITS.iter().map(|one| (one.name, one.reason));
    for (name, reason) in presets.chain(units) {
        let _ = writeln!(page, "| [{name}]({name}/) | {reason} |");
    }
    page
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn starting_points_are_different_presets_of_every_scheme() {
        let presets = STARTING_POINTS.iter().map(|point| point.preset);
        let names: BTreeSet<&str> = presets.clone().collect();
        assert_eq!(names.len(), STARTING_POINTS.len());
        let known = tracewright_sim::scheme::Scheme::presets();
        let scheme_of = |name: &str| {
            let found = known.iter().find(|(preset, _)| preset.name == name);
            found.expect("a preset").1.name()
        };
        let schemes: BTreeSet<&str> = presets.map(scheme_of).collect();
        let every = tracewright_sim::scheme::Scheme::all();
        assert_eq!(schemes.len(), every.len());
    }
}
