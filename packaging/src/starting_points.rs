//! What is in `generated_verilog/`: a design of each scheme, a whole unit and a system, from which a new user would start.

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
    "traptor-m4" => "512 gshare entries, return address stack, 64 indirect targets; the first design to try",
    "mctraptor-small-n4" => "four cores, small predictors",
    "stream-rbase-128" => "128 streams in the smallest entries; the first stream cache to try",
    "ntuple-32x4" => "a second cache of tuples of streams",
    "stride-256x4" => "data addresses instead of control flow, four ways with tags",
    "nexs" => "no prediction, the records of a Nexus-like module; the smallest of all",
    "talon-m" => "Talon in the gates of traptor-b4, with fewer bits; the fewest bits for the gates",
    "talon-d" => "data addresses instead of control flow, with a coded confidence; the first design to try for them",
    "etrace-base" => "RISC-V E-Trace without optional extensions, for decoders of the standard",
    "ntrace-htm" => "RISC-V N-Trace with branch histories and without optional extensions",
}

/// A whole unit or system that is kept in `generated_verilog/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WholeUnit {
    /// Its name.
    pub name: &'static str,
    /// The file that describes it, in TOML.
    pub file: &'static str,
    /// What it has.
    pub reason: &'static str,
}

/// A unit.
pub const WHOLE_UNIT: WholeUnit = WholeUnit {
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
};

/// A system.
pub const WHOLE_SYSTEM: WholeUnit = WholeUnit {
    name: "ntrace_pair",
    file: "name = \"ntrace_pair\"\n\
           ram_sink = 4096\n\
           bus = \"apb\"\n\
           [[hart]]\n\
           name = \"a\"\n\
           design = \"ntrace-htm\"\n\
           [hart.ingress]\n\
           port = \"rvfi\"\n\
           [[hart]]\n\
           name = \"b\"\n\
           design = \"ntrace-htm\"\n\
           [hart.ingress]\n\
           port = \"tip\"\n",
    reason: "a system: two harts with RVFI and a trace ingress port, their N-Trace in one ring, registers on one APB",
};

/// A page that lists the starting points, for the folder that holds them.
pub fn index() -> String {
    let mut page = String::from(
        "# Generated Verilog\n\n\
         Written by `tracewright generate --starting-points`. Each folder holds one design: its Verilog in one file, \
         a manifest with its parameters and ports, a FuseSoC core, an IP-XACT component, wrappers, and a testbench \
         ([docs/integration.md](../docs/integration.md)), or a system ([docs/system.md](../docs/system.md)). `tracewright designs` lists every preset, and \
         `tracewright generate NAME -o DIR` writes any of them.\n\n\
         | design | what it has |\n|---|---|\n",
    );
    let presets = STARTING_POINTS.iter().map(|one| (one.preset, one.reason));
    let wholes = [WHOLE_UNIT, WHOLE_SYSTEM].map(|one| (one.name, one.reason));
    for (name, reason) in presets.chain(wholes) {
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
