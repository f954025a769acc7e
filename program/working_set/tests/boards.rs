//! The ready boards, and files of runs on them.

use std::collections::BTreeSet;

use tracewright_working_set::boards::{self, READY};
use tracewright_working_set::{
    BoardDescription, CaptureOptions, Error, Program, capture, file, replay,
};

const CODE: u64 = 0x8000_0000;

fn program(bits: u8, words: &[u32]) -> Program {
    let code = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    Program::new(CODE, bits, [(CODE, code)]).expect("a program")
}

fn on(board: &str) -> CaptureOptions {
    let board = boards::named(board).expect("a ready board");
    CaptureOptions { board: Some(board), ..CaptureOptions::default() }
}

#[test]
fn every_ready_board_is_one() {
    let names: BTreeSet<String> =
        READY.iter().map(|text| BoardDescription::parse(text).expect("a board").name).collect();
    assert_eq!(names.len(), READY.len());
    assert_eq!(boards::with_device(0x1001_3004), [("sifive-e".to_owned(), "uart-sifive")]);
    for (wrong, said) in [
        ("name = \"x\"", "memory"),
        ("name = \"x\"\nmemory = []", "with memory"),
        ("name = \"x\"\nmemory = [{ address = 0, bytes = 1 }]\ncolour = 1", "unknown field"),
        ("name = \"x\"\nmemory = [{ address = 0, bytes = 1 }]\n[[devices]]\nkind = \"fan\"", "fan"),
    ] {
        let error = BoardDescription::parse(wrong).expect_err("no board").to_string();
        assert!(error.contains(said), "{error}");
    }
}

/// Both interrupts of a CLINT, user mode, and a file of version 2.
#[test]
fn interrupts_and_user_mode_are_replayed() {
    for bits in [32, 64] {
        let words = [
            0x0000_0297, // auipc t0, 0
            0x0502_8293, // addi t0, t0, 0x50: the handler
            0x3052_9073, // csrw mtvec, t0
            0x0200_0337, // lui t1, 0x2000: the CLINT
            0x0080_0393, // li t2, 8
            0x3043_9073, // csrw mie, t2: software
            0x0010_0393, // li t2, 1
            0x0073_2023, // sw t2, 0(t1): msip
            0x3004_6073, // csrsi mstatus, 8
            0x0000_0013, // nop, after the first interrupt
            0x0000_0297, // auipc t0, 0
            0x0102_8293, // addi t0, t0, 16
            0x3412_9073, // csrw mepc, t0: the next but one
            0x3020_0073, // mret, to user mode
            0x0000_0073, // ecall
            0x0000_006f, // j .
            0x0000_0013,
            0x0000_0013,
            0x0000_0013,
            0x0000_0013,
            // 0x50: the handler
            0x0003_2023, // sw zero, 0(t1): no software interrupt any more
            0x3420_2573, // csrr a0, mcause
            0x00a5_f5b3, // and a1, a1, a0
            0x0080_0e13, // li t3, 8
            0x01c5_0463, // beq a0, t3, +8: the call of user mode ends
            0x3020_0073, // mret
            0x0010_0337, // lui t1, 0x100: the finisher
            0x0000_53b7, // lui t2, 5
            0x5553_8393, // addi t2, t2, 0x555
            0x0073_2023, // sw t2, 0(t1)
            0x0000_006f, // j .
        ];
        let captured = capture(&program(bits, &words), &on("qemu-virt"), &mut (), |_| {});
        let captured = captured.expect("a run");
        assert_eq!(captured.exit, Some(0), "{bits} bits");
        let bytes = file::write(&captured.working_set).expect("a file");
        assert_eq!(bytes[4], 2, "the version");
        let kept = file::read(&bytes).expect("a file");
        assert!(kept == captured.working_set);
        replay(&kept, &mut (), |_| {}).expect("a replay");
        for place in 16..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            assert!(file::read(&damaged).is_err());
        }
    }
}

/// A processor of 32 bits stores a request in two halves, in either order or only the lower one again and again.
#[test]
fn requests_come_in_halves() {
    let text = "name = \"halves\"\nmemory = [{ address = 0x80000000, bytes = 0x10000 }]\n\
                [[devices]]\nkind = \"htif\"\ntohost = 0x80001000\nfromhost = 0x80001040\n";
    let board = BoardDescription::parse(text).expect("a board");
    let options = CaptureOptions { board: Some(board), ..CaptureOptions::default() };
    let lower = 0x0072_a023; // sw t2, 0(t0)
    let upper = 0x0062_a223; // sw t1, 4(t0)
    let setup = [0x8000_12b7, 0x0000_0313, 0x0070_0393]; // t0 = 0x80001000, t1 = 0, t2 = 7
    for stores in [[lower, upper], [upper, lower], [lower, lower]] {
        let words = [&setup[..], &stores, &[0x0000_006f]].concat();
        let captured = capture(&program(32, &words), &options, &mut (), |_| {}).expect("a run");
        assert_eq!(captured.exit, Some(3), "{stores:x?}");
    }
    // Device 1, command 1: the console.
    let words = [0x8000_12b7, 0x0101_0337, 0x0410_0393, upper, lower, 0x0000_006f];
    let captured = capture(&program(32, &words), &options, &mut (), |_| {}).expect("a run");
    assert_eq!(captured.console, b"A");
    assert!(captured.endless.is_some_and(|stuck| stuck.program_counter == CODE + 20));
}

/// PicoRV32 sets `sp` at reset, and its programs take it from there.
#[test]
fn the_stack_is_where_the_board_says() {
    let text = "name = \"stacked\"\nmemory = [{ address = 0x80000000, bytes = 0x10000 }]\nstack = 0x80010000\n";
    let board = BoardDescription::parse(text).expect("a board");
    let options = CaptureOptions { board: Some(board), ..CaptureOptions::default() };
    // sw zero, -4(sp); j .
    let captured = capture(&program(32, &[0xfe01_2e23, 0x0000_006f]), &options, &mut (), |_| {});
    let kept = captured.expect("a run").working_set;
    let bytes = file::write(&kept).expect("a file");
    assert_eq!(file::read(&bytes).expect("a file").registers.integers[2], 0x8001_0000);
    replay(&kept, &mut (), |_| {}).expect("a replay");
}

#[test]
fn a_program_that_does_nothing_more_is_ended_or_says_what_it_waits_for() {
    let endless = capture(&program(32, &[0x0000_006f]), &on("qemu-virt"), &mut (), |_| {});
    let endless = endless.expect("a run");
    assert_eq!((endless.exit, endless.endless.map(|it| it.instructions)), (None, Some(1)));
    // lui t0, 0x10000; lbu t1, 5(t0); andi t1, t1, 1; beqz t1, -8: waits for input that there is not.
    let waits = [0x1000_02b7, 0x0052_c303, 0x0013_7313, 0xfe03_0ce3];
    let error =
        capture(&program(32, &waits), &on("qemu-virt"), &mut (), |_| {}).expect_err("a loop");
    let Error::Polls { address, program_counter, .. } = error else { panic!("{error}") };
    assert_eq!((address, program_counter), (0x1000_0005, CODE + 4));
    assert!(error.limit_before().is_some());
    // A loop that counts goes on to its end.
    // lui t0, 0x100; addi t0, t0, -1; bnez t0, -4; j .
    let counts = [0x0010_02b7, 0xfff2_8293, 0xfe02_9ee3, 0x0000_006f];
    let counted = capture(&program(32, &counts), &on("qemu-virt"), &mut (), |_| {}).expect("a run");
    assert!(counted.working_set.totals.instructions > 2 << 20);
}
