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

/// The TOML of a board with 4 KiB of memory and these keys.
fn board_of(keys: &str) -> String {
    format!("name = \"x\"\nmemory = [{{ address = 0x8000_0000, bytes = 0x1000 }}]\n{keys}")
}

fn with_device(keys: &str) -> String {
    board_of(&format!("[[devices]]\n{keys}"))
}

/// Checks that each of these boards is refused with an error that says what is wrong.
fn refused<const COUNT: usize>(wrong: [(String, &str); COUNT]) {
    for (text, said) in wrong {
        let board = BoardDescription::parse(&text).expect(&text);
        let error = board.assemble(&program(32, &[0x0000_006f])).expect_err(&text).to_string();
        assert!(error.contains(said), "{text}: {error}");
    }
}

#[test]
fn wrong_keys_of_a_board_are_named() {
    let memory = |second: &str| board_of("").replace(" }]", &format!(" }}, {{ {second} }}]"));
    refused([
        (board_of("reset = 0x0900_0000"), "`reset`: expected an even address in memory"),
        (board_of("reset = 0x1_8000_0000"), "found 0x180000000"),
        (board_of("reset = 0x8000_0001"), "found 0x80000001"),
        (
            board_of("extensions = \"imq\""),
            "`extensions`: expected letters out of abcdfimu, found `q`",
        ),
        (board_of("[registers]\nmscratch = 1"), "`registers`: expected names out of mvendorid"),
        (memory("address = 0, bytes = 0"), "`bytes` of memory 2: expected 1 or more, found 0"),
        (
            memory("address = 0x9000_0000, bytes = 0x8000_0000"),
            "`address` of memory 2: expected addresses in the lowest 4 GiB",
        ),
        (
            memory("address = 0x8000_0fff, bytes = 1"),
            "memory 2 at 0x80000fff to 0x80000fff overlaps memory 1 at 0x80000000 to 0x80000fff",
        ),
    ]);
    let upper = BoardDescription::parse(&board_of("extensions = \"IMAC\"")).expect("a board");
    let upper = upper.assemble(&program(32, &[0x0000_006f])).expect("a board");
    assert!(upper.layout.has('m') && !upper.layout.has('f'));
}

#[test]
fn wrong_keys_of_devices_are_named() {
    let at = "address = 0x100\n";
    let ones = |ones: &str| {
        with_device(&format!("kind = \"registers\"\n{at}bytes = 0x10\nones = {{ {ones} }}"))
    };
    let exit = "kind = \"exit\"\naddress =";
    let timer = |keys: &str| with_device(&format!("kind = \"timer\"\n{at}{keys}"));
    refused([
        (
            with_device(&format!("{exit} 0x8000_0004")),
            "device 1 (exit) at 0x80000004 to 0x80000007",
        ),
        (
            with_device(&format!("{exit} 4\n[[devices]]\n{exit} 6")),
            "device 2 (exit) at 0x6 to 0x9 overlaps device 1 (exit) at 0x4 to 0x7",
        ),
        (with_device(&format!("{exit} 0x1_0000_0000")), "`address` of device 1 (exit)"),
        (with_device(&format!("kind = \"uart-16550\"\n{at}stride = 0")), "`stride` of device 1"),
        (
            ones("0x10 = 1"),
            "`ones` of device 1 (registers): expected offsets that are multiples of 4",
        ),
        (ones("x = 1"), "less than 0x10, found `x`"),
        (ones("0x0 = 0x1_0000_0000"), "expected values of 32 bits, found 0x100000000"),
        (
            timer("mtime = 0\nmtimecmp = 4"),
            "`mtimecmp` of device 1 (timer): expected a multiple of 8",
        ),
        (timer("mtime = 0\nmtimecmp = 0"), "overlaps `mtime` of device 1 (timer) at 0x0 to 0x7"),
        (timer("mtime = 0\nmtimecmp = 8\nmsip = 12"), "`msip` of device 1 (timer) at 0xc to 0xf"),
    ]);
    let named = with_device("kind = \"htif\"\ntohost = \"none\"");
    let named = BoardDescription::parse(&named).expect("a board");
    let error = named.check_symbols(&program(32, &[])).expect_err("no symbol").to_string();
    assert!(error.contains("`tohost` of device 1 (htif): expected a symbol"), "{error}");
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
