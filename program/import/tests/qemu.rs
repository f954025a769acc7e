//! Logs of QEMU, in the form of version 7.2. The command's own tests import logs that QEMU writes.

use tracewright_image::InstructionSet;

use crate::common::{import_with, of_set};

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
    assert_eq!(trace_of(&log, InstructionSet::RiscV64), expected);
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
    assert_eq!(trace_of(&log, InstructionSet::RiscV64), expected);
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
    assert_eq!(trace_of(&log, InstructionSet::RiscV64), expected);
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
