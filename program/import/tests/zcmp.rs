//! Logs and dumps of programs with Zcmp and Zcmt, and returns from traps of other extensions.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tracewright_image::InstructionSet;
use tracewright_import::Options;
use tracewright_sim::event::Event;
use tracewright_sim::rvfi::Extensions;

use crate::common::{import_with, of_set, whole};
use crate::e_trace::{self, PRESETS, encode, image, workload};
use crate::n_trace;

const PROGRAM: &str = "zcmp/calls.elf";

/// The execution as another emulator wrote it.
const EXECUTION: &str = "zcmp/calls.txt.zst";

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../workloads").join(name)
}

fn with(extensions: Extensions) -> Options {
    Options { extensions, ..of_set(InstructionSet::RV32) }
}

/// The log goes on after the trace by the jump of an endless loop to itself.
#[test]
fn a_log_has_the_events_of_the_execution() {
    let text = std::fs::read(file(EXECUTION)).expect("a file");
    let text = zstd::decode_all(&*text).expect("a trace");
    let expected = String::from_utf8(text).expect("text") + "1 direct-jump 0x10074 taken 0x10074\n";
    let log = std::fs::read(file("zcmp/calls.log.zst")).expect("a file");
    let log = zstd::decode_all(&*log).expect("a log");
    let of_program = Options { program: Some(Arc::new(image(PROGRAM))), ..Options::default() };
    let of_option = Options { extensions: Extensions::ALL, ..Options::default() };
    for options in [of_program, of_option] {
        let (trace, summary) = whole(&log, options).expect("a log");
        assert_eq!(trace, expected);
        assert_eq!((summary.instructions, summary.exceptions), (732, 0));
    }
}

/// Of the trace of reset, where its exception leads, and the events after it.
fn dumped(events: &[Event]) -> (u64, &[Event]) {
    (events[0].target, &events[1..])
}

#[test]
fn dumps_come_back() {
    let (machine, events) = workload(EXECUTION);
    let image = image(PROGRAM);
    for (preset, sizes) in PRESETS {
        let dump = encode(preset, &[("trace_port_width", "8")], machine, &events);
        let (parts, _) = e_trace::decode(&dump, &e_trace::parameters(sizes), &image, machine);
        let found = parts.events(0);
        assert_eq!((parts.gaps.len(), dumped(&found)), (0, dumped(&events)), "{preset}");
    }
    let dump = encode("ntrace-htm", &[("trace_port_width", "8")], machine, &events);
    let (parts, _) = n_trace::decode(&dump, &n_trace::ours(machine, false), &image, machine);
    assert_eq!((parts.gaps.len(), dumped(&parts.events(0))), (0, dumped(&events)));
}

/// A core's table of RVFI: a call, `cm.push`, and the return.
#[test]
fn a_return_of_the_formal_interface() {
    let log = "\
rvfi_order,rvfi_insn,rvfi_trap,rvfi_intr,rvfi_pc_rdata,rvfi_pc_wdata
0,100000ef,0,0,00000100,00000200
1,0000b842,0,0,00000200,00000202
2,0000be42,0,0,00000202,00000104
3,0000006f,0,0,00000104,00000104
";
    let with_return = "\
0 exception 0x0 taken 0x100
1 direct-jump 0x100 call length=4 taken 0x200
2 indirect-jump 0x202 return taken 0x104
1 direct-jump 0x104 taken 0x104
";
    let with_store = with_return.replace("indirect-jump 0x202 return", "exception 0x202");
    for (extensions, expected) in
        [(Extensions::ALL, with_return), (Extensions::NONE, with_store.as_str())]
    {
        assert_eq!(import_with(log, with(extensions)).expect("a table").0, expected);
    }
}

#[test]
fn table_jumps_and_returns_from_traps() {
    let log = "\
core   0: 0x80000000 (0x00300513) li      a0, 3
core   0: 0x80000004 (0x0000a082) cm.jalt 32
core   0: 0x80000040 (0x00005017) lpad    5
core   0: 0x80000044 (0xce104073) sspush  ra
core   0: 0x80000048 (0xcdc0c073) sspopchk ra
core   0: 0x8000004c (0x00008082) ret
core   0: 0x80000006 (0x0000a002) cm.jt   0
core   0: 0x80000100 (0x00000013) nop
core   0: exception trap_software_check, epc 0x80000104
core   0: 0x80000200 (0x30200073) mret
core   0: 0x80000104 (0x00000013) nop
core   0: exception trap_double_trap, epc 0x80000108
core   0: 0x80000300 (0x70200073) mnret
core   0: 0x80000108 (0x0000a001) j       pc + 0
";
    let expected = "\
0 exception 0x0 taken 0x80000000
2 indirect-jump 0x80000004 call length=2 taken 0x80000040
4 indirect-jump 0x8000004c return taken 0x80000006
1 indirect-jump 0x80000006 taken 0x80000100
1 exception 0x80000100 taken 0x80000200
1 indirect-jump 0x80000200 taken 0x80000104
1 exception 0x80000104 taken 0x80000300
1 indirect-jump 0x80000300 taken 0x80000108
1 direct-jump 0x80000108 taken 0x80000108
";
    assert_eq!(import_with(log, with(Extensions::ALL)).expect("a log").0, expected);
}

/// Ibex enters handlers of exceptions at multiples of 256; a return there is none.
#[test]
fn a_return_to_where_handlers_could_be() {
    let log = "Time\tCycle\tPC\tInsn\tDecoded instruction\tRegister and memory contents\n\
               1\t1\t00000202\tbe42\tcm.popret\t{x1}, 16\tx2:0x00010000 PA:0x00010000 load:0x00000300\n\
               2\t2\t00000300\t0000006f\tjal\tx0,300\t\n";
    let expected = "\
0 exception 0x0 taken 0x202
1 load 0x202 0x10000
1 indirect-jump 0x202 return taken 0x300
1 direct-jump 0x300 taken 0x300
";
    assert_eq!(import_with(log, with(Extensions::ALL)).expect("a log").0, expected);
}

/// What looks like a store of floating point loads.
#[test]
fn accesses_of_cva6() {
    let log = "\
     185ns       14 M 0000000000010000 0 0000ba42 cm.pop         {ra}, 16   VA: 0000000000020000 PA: 00000000020000
     187ns       15 M 0000000000010002 0 0000b842 cm.push        {ra}, -16  VA: 0000000000020008 PA: 00000000020008
     189ns       16 M 0000000000010004 0 0000a001 c.j            pc + 0
";
    let options = Options { extensions: Extensions::ALL, ..of_set(InstructionSet::RV64) };
    let expected = "\
0 exception 0x0 taken 0x10000
1 load 0x10000 0x20000
2 store 0x10002 0x20008
3 direct-jump 0x10004 taken 0x10004
";
    assert_eq!(import_with(log, options).expect("a log").0, expected);
}
