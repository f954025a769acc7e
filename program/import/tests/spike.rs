//! Logs of Spike. The lines are of logs that it has printed, as in riscv-isa-sim's issues 330, 344 and 1142 and
//! riscv-tests' issue 256, with other instructions.

use tracewright_image::InstructionSet;
use tracewright_import::{Format, Options};

use crate::common::{import, import_with, of_set, whole};

const CALL: &str = "\
core   0: 0x0000000080000000 (0x00004501) c.li    a0, 0
core   0: 0x0000000080000002 (0x008000ef) jal     pc + 0x8
core   0: >>>>  function
core   0: 0x000000008000000a (0x00008082) ret
core   0: 0x0000000080000006 (0x0000a001) c.j     pc + 0
core   0: 0x0000000080000006 (0x0000a001) c.j     pc + 0
";

/// A call, a return, and a jump to itself, at which the log ends.
#[test]
fn instructions() {
    let expected = "\
machine riscv alignment=1 address_bits=64 lengths
0 exception 0x0 taken 0x80000000
2 direct-jump 0x80000002 call length=4 taken 0x8000000a
1 indirect-jump 0x8000000a return taken 0x80000006
1 direct-jump 0x80000006 taken 0x80000006
1 direct-jump 0x80000006 taken 0x80000006
";
    let (trace, summary) = whole(CALL.as_bytes(), Options::default()).expect("a log");
    assert_eq!(trace, expected);
    assert_eq!((summary.instructions, summary.exceptions, summary.left_out), (5, 0, 0));
}

/// `-l` alone: an instruction with an exception has not retired, one before an interrupt has.
#[test]
fn exceptions() {
    let log = "\
core   0: 0x80000048 (0x00000093) li      ra, 0
core   0: 0x8000004c (0x00000073) ecall
core   0: exception trap_machine_ecall, epc 0x8000004c
core   0: >>>>  trap_vector
core   0: 0x80000004 (0x30200073) mret
core   0: 0x80000050 (0x00000013) nop
core   0: exception interrupt #7, epc 0x80000054
core   0: 0x80000004 (0x30200073) mret
core   0: 0x80000054 (0xfe000ee3) beqz    zero, pc - 4
core   0: 0x80000050 (0x00000013) nop
core   0: exception trap_load_access_fault, epc 0x80000054
core   0:           tval 0x00000000
core   0: 0x80000004 (0x30200073) mret
";
    let expected = "\
0 exception 0x0 taken 0x80000048
1 exception 0x80000048 taken 0x80000004
1 indirect-jump 0x80000004 taken 0x80000050
1 exception 0x80000050 taken 0x80000004
1 indirect-jump 0x80000004 taken 0x80000054
1 direct-conditional 0x80000054 taken 0x80000050
1 exception 0x80000050 taken 0x80000004
";
    let (trace, summary) = import_with(log, Options::default()).expect("a log");
    assert_eq!(trace, expected);
    // The last return from a trap leads nowhere.
    assert_eq!((summary.exceptions, summary.left_out), (3, 1));
}

/// With both options: the second line of an instruction says that it has retired, and what it accessed.
#[test]
fn commits() {
    let log = "\
core   0: 0x0000000080000000 (0x00000297) auipc   t0, 0x0
core   0: 3 0x0000000080000000 (0x00000297) x5  0x0000000080000000
core   0: 0x0000000080000004 (0x0002b203) ld      tp, 0(t0)
core   0: 3 0x0000000080000004 (0x0002b203) x4  0x0000000080002380 mem 0x0000000080002428
core   0: 0x0000000080000008 (0x0062b023) sd      t1, 0(t0)
core   0: 3 0x0000000080000008 (0x0062b023) mem 0x0000000080002430 0x0000000000000001
core   0: 0x000000008000000c (0x34011173) csrrw   sp, mscratch, sp
core   0: 3 0x000000008000000c (0x34011173) x2  0x0000000000000000 c832_mscratch 0x0000000000000000
core   0: 0x0000000080000010 (0x00000073) ecall
core   0: exception trap_machine_ecall, epc 0x0000000080000010
core   0: 0x0000000080000100 (0x0000a001) c.j     pc + 0
core   0: 3 0x0000000080000100 (0xa001)
core   0: 0x0000000080000100 (0x0000a001) c.j     pc + 0
core   0: 3 0x0000000080000100 (0xa001)
";
    let expected = "\
machine riscv alignment=1 address_bits=64 lengths data
0 exception 0x0 taken 0x80000000
2 load 0x80000004 0x80002428
3 store 0x80000008 0x80002430
4 exception 0x8000000c taken 0x80000100
1 direct-jump 0x80000100 taken 0x80000100
1 direct-jump 0x80000100 taken 0x80000100
";
    let (trace, summary) = whole(log.as_bytes(), Options::default()).expect("a log");
    assert_eq!((trace.as_str(), summary.cannot_tell(Format::Spike)), (expected, None));
    // Without the lines of `-l` the exception is the jump that nothing explains.
    let is_commit = |line: &&str| line.contains(": 3 ");
    let commits: String = log.lines().filter(is_commit).map(|line| format!("{line}\n")).collect();
    let (trace, summary) = whole(commits.as_bytes(), Options::default()).expect("a log");
    assert_eq!(trace, expected);
    assert!(summary.cannot_tell(Format::Spike).is_some());
    // Early versions, and CVA6's commit log, begin with the privilege level.
    let bare = commits.replace("core   0: ", "");
    assert_eq!(whole(bare.as_bytes(), Options::default()).expect("a log").0, expected);
}

/// Harts are threads; one of them can be taken.
#[test]
fn harts() {
    let other = CALL.replace("core   0: ", "core   2: ");
    let both: String =
        CALL.lines().zip(other.lines()).map(|(one, other)| format!("{one}\n{other}\n")).collect();
    let alone = import(CALL);
    let threads = import(&both);
    assert_eq!(threads.lines().count(), 2 * alone.lines().count());
    let of_two: String = threads
        .lines()
        .filter(|line| line.contains(" thread=2"))
        .map(|line| line.replace(" thread=2", "") + "\n")
        .collect();
    assert_eq!(of_two, alone);
    let options = Options { hart: Some(2), ..Options::default() };
    assert_eq!(import_with(&both, options).expect("a log").0, alone);
}

/// Spike has printed addresses of RV32 with 64 bits.
#[test]
fn extended_addresses() {
    let log = "\
core   0: 0xffffffff80000000 (0x0000006f) j       pc + 0x0
core   0: 0xffffffff80000000 (0x0000006f) j       pc + 0x0
";
    let (trace, _) = import_with(log, of_set(InstructionSet::RV32)).expect("a log");
    let jump = "1 direct-jump 0x80000000 taken 0x80000000\n";
    assert_eq!(trace, format!("0 exception 0x0 taken 0x80000000\n{jump}{jump}"));
}

/// What the program prints is among the lines of the log.
#[test]
fn other_lines() {
    let log = format!("Hello\n{CALL}bye\n");
    let (trace, summary) = import_with(&log, Options::default()).expect("a log");
    assert_eq!((trace, summary.other_lines), (import(CALL), 2));
}
