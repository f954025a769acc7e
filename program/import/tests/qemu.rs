//! Logs of QEMU, in the form of version 7.2. The command's own tests import logs that QEMU writes.

use tracewright_image::InstructionSet;

use crate::common::{error, import_with, of_program, of_set};

fn trace_of(log: &str, set: InstructionSet) -> String {
    import_with(log, of_set(set)).unwrap_or_else(|error| panic!("{error}")).0
}

/// The line of a block that begins.
fn begin(address: u64) -> String {
    format!("Trace 0: 0x7fd17d000100 [0000000000000000/{address:016x}/00207600/00000200] _start\n")
}

const LISTING: &str = "\
----------------
IN: _start
0x0000000000010000:  87aa              mv                      a5,a0
0x0000000000010002:  00000517          auipc                   a0,0                    # 0x10002
0x0000000000010006:  17fd              addi                    a5,a5,-1
0x0000000000010008:  fffd              bnez                    a5,-2                   # 0x10006

";

/// As QEMU lists it where it emulates a whole machine.
const SECOND: &str = "\
----------------
IN: _start
Priv: 3; Virt: 0
0x0000000000010006:  17fd              addi                    a5,a5,-1
0x0000000000010008:  fffd              bnez                    a5,-2                   # 0x10006

";

/// A loop, the second block of which is a part of the first; after it a system call with which the program ends.
#[test]
fn blocks() {
    let end = "\
----------------
IN: _start
0x000000000001000a:  00000073          ecall

";
    let log = [LISTING, &begin(0x10000), SECOND, &begin(0x10006), &begin(0x10006)].concat()
        + &[end, &begin(0x1000a)].concat();
    let expected = "\
0 exception 0x0 taken 0x10000
4 direct-conditional 0x10008 taken 0x10006
2 direct-conditional 0x10008 taken 0x10006
2 direct-conditional 0x10008
1 exception 0x1000a
";
    assert_eq!(trace_of(&log, InstructionSet::RV64), expected);
}

/// QEMU leaves a block for an instruction that it runs alone, and then goes on: in the second round of a loop, whose
/// block could also lead there.
#[test]
fn a_block_that_is_left() {
    let alone = "\
----------------
IN: _start
0x0000000000010006:  17fd              addi                    a5,a5,-1

";
    let rest = "\
----------------
IN: _start
0x0000000000010008:  fffd              bnez                    a5,-2                   # 0x10006

";
    let log = [LISTING, &begin(0x10000), alone].concat()
        + &begin(0x10006).replace("00000200", "00000001")
        + &[rest, &begin(0x10008), SECOND, &begin(0x10006)].concat();
    let expected = "\
0 exception 0x0 taken 0x10000
4 direct-conditional 0x10008 taken 0x10006
";
    assert_eq!(trace_of(&log, InstructionSet::RV64), expected);
}

/// A block that was logged and did not begin, and an interrupt instead of it.
#[test]
fn a_block_that_does_not_begin() {
    let handler = "\
----------------
IN: handler
0x0000000000020000:  30200073          mret

";
    let log = [LISTING, &begin(0x10000), SECOND, &begin(0x10006)].concat()
        + "Stopped execution of TB chain before 0x7fd17d000240 [0000000000010006] _start\n"
        + &[handler, &begin(0x20000), &begin(0x10006), &begin(0x10006)].concat();
    let expected = "\
0 exception 0x0 taken 0x10000
4 direct-conditional 0x10008 taken 0x10006
0 exception 0x10008 taken 0x20000
1 indirect-jump 0x20000 taken 0x10006
2 direct-conditional 0x10008 taken 0x10006
";
    assert_eq!(trace_of(&log, InstructionSet::RV64), expected);
}

/// The code of the other instruction sets is listed in halves and bytes; Thumb addresses are odd.
#[test]
fn other_instruction_sets() {
    let thumb = "\
IN: 
0x0001039a:  449a       add      sl, r3
0x000103a8:  f000 f8c6  bl       #0x10538

Trace 0: 0x7fd6656000c0 [00800480/0001039a/00000000/00000200] 
IN: 
0x0001052c:  4770       bx       lr

Trace 0: 0x7fd6656000c0 [00800480/0001052c/00000000/00000200] 
Trace 0: 0x7fd6656000c0 [00800480/0001052c/00000000/00000200] 
";
    let expected = "\
0 exception 0x0 taken 0x1039b
2 direct-jump 0x1039d call length=4 taken 0x1052d
";
    assert_eq!(trace_of(thumb, InstructionSet::Arm), expected);
    let x86 = "\
IN: _start
0x00401620:  31 ed                    xorl     %ebp, %ebp
0x004028f4:  48 8b 84 24 00 01 00 00  movq     0x100(%rsp), %rax
0x0040163b:  67 e8 8f 12 00 00        callq    0x4028d0

Trace 0: 0x7f952c200100 [0000000000000000/0000000000401620/1040c0b3/00000200] _start
IN: f
0x004028bf:  c3                       retq

Trace 0: 0x7f952c200100 [0000000000000000/00000000004028bf/1040c0b3/00000200] f
";
    let expected = "\
0 exception 0x0 taken 0x401620
3 direct-jump 0x40162a call length=6 taken 0x4028bf
";
    assert_eq!(trace_of(x86, InstructionSet::X86_64), expected);
}

const PROGRAM: &str = "rv32imac-crc.elf";

/// What is listed has to be the program's code and of its instruction set; code that no file has is that of the log.
#[test]
fn listings_of_other_programs() {
    let line = |code: &str| format!("IN: _start\n0x00010000:  00090117  auipc sp,144\n{code}\n\n");
    let run = begin(0x10000).repeat(2);
    let other = line("0x00010004:  00000013  nop");
    assert_eq!(
        error(other, of_program(PROGRAM)),
        "run.log, line 3: at 0x10004 the log has the instruction 0x00000013 and the program has 0x00010113: expected \
         the program that ran, or no --program where code changes as it runs"
    );
    let listed = line("0x00010004:  00010113  mv sp,sp");
    let rom = "IN: \n0x00001000:  00000013  nop\n\n".to_owned() + &begin(0x1000);
    let (trace, summary) =
        import_with(&(rom + &listed + &run), of_program(PROGRAM)).expect("the program's code");
    assert_eq!(trace.lines().next(), Some("0 exception 0x0 taken 0x1000"));
    assert_eq!((summary.outside, summary.left_out, summary.last_blocks), (Some(0x1000), 2, 2));
    let wide = "found the address \"0x0000000000010000\" of 64 bits";
    for options in [of_program(PROGRAM), of_set(InstructionSet::X86)] {
        assert!(error(LISTING, options.clone()).ends_with(wide), "{options:?}");
    }
    assert_eq!(
        error(LISTING, of_set(InstructionSet::X86_64)),
        "run.log, line 3: expected code of 64-bit x86, found an instruction that is listed as \"87aa\""
    );
}

/// Of single steps the number of flags says that blocks are short; where it is not there, the log is refused.
#[test]
fn single_steps() {
    let addresses = [0x10018, 0x1001a, 0x1001e, 0x10022, 0x10026, 0x1002a, 0x102b6];
    let log: String =
        addresses.iter().map(|at| begin(*at).replace("/00000200]", "/ff000201]")).collect();
    let (trace, summary) = import_with(&log, of_program(PROGRAM)).expect("a log");
    let call = "6 direct-jump 0x1002a call length=2 taken 0x102b6\n";
    assert_eq!(trace, format!("0 exception 0x0 taken 0x10018\n{call}"));
    assert_eq!((summary.instructions, summary.left_out), (7, 1));
    let early = log.replace("/ff000201]", "]").repeat(2);
    let said = error(early, of_program(PROGRAM));
    assert!(said.ends_with("expected a log with -d exec,nochain,in_asm"), "{said}");
}

/// Logs that lack what ran: blocks that QEMU has linked, and all of them.
#[test]
fn logs_without_execution() {
    let linked = "Linking TBs 0x7faf98000540 index 0 -> 0x7faf98000680\n";
    let said = error([LISTING, &begin(0x10000), linked].concat(), of_set(InstructionSet::RV64));
    assert!(said.starts_with("run.log, line 9: QEMU has linked blocks here"), "{said}");
    assert_eq!(
        error(LISTING, of_set(InstructionSet::RV64)),
        "run.log: the log lists code, and no block that ran: expected a log with -d exec,nochain,in_asm"
    );
}
