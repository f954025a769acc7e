//! What the machine does with single instructions that the programs of `workloads/` do not have.

use crate::common::{captured, replayed};
use tracewright_sim::event::{Event, Item, Kind};
use tracewright_working_set::{CaptureOptions, Captured, Cause, Error, Program, capture, file};

const CODE: u64 = 0x1_0000;
const DATA: u32 = 0x2_0000;

/// Registers.
const T0: u32 = 5;
const T1: u32 = 6;
const T2: u32 = 7;
const A0: u32 = 10;
const A1: u32 = 11;

fn i(opcode: u32, function: u32, rd: u32, rs1: u32, immediate: i32) -> u32 {
    opcode | rd << 7 | function << 12 | rs1 << 15 | (immediate as u32) << 20
}

fn addi(rd: u32, rs1: u32, immediate: i32) -> u32 {
    i(0x13, 0, rd, rs1, immediate)
}

fn jalr(rd: u32, rs1: u32, offset: i32) -> u32 {
    i(0x67, 0, rd, rs1, offset)
}

fn lui(rd: u32, value: u32) -> u32 {
    0x37 | rd << 7 | value & 0xffff_f000
}

fn lw(rd: u32, rs1: u32, offset: i32) -> u32 {
    i(0x03, 2, rd, rs1, offset)
}

fn sw(rs2: u32, rs1: u32, offset: i32) -> u32 {
    let offset = offset as u32;
    0x23 | (offset & 31) << 7 | 2 << 12 | rs1 << 15 | rs2 << 20 | (offset >> 5) << 25
}

fn atomic(function: u32, rd: u32, rs1: u32, rs2: u32) -> u32 {
    0x2f | rd << 7 | 2 << 12 | rs1 << 15 | rs2 << 20 | function << 27
}

fn csr(function: u32, rd: u32, number: u32, rs1: u32) -> u32 {
    0x73 | rd << 7 | function << 12 | rs1 << 15 | number << 20
}

fn csrw(number: u32, rs1: u32) -> u32 {
    csr(1, 0, number, rs1)
}

fn csrr(rd: u32, number: u32) -> u32 {
    csr(2, rd, number, 0)
}

const MRET: u32 = 0x3020_0073;
const ECALL: u32 = 0x73;
const WFI: u32 = 0x1050_0073;
const NOP: u32 = 0x13;
const LOOP: u32 = 0x6f;
const ILLEGAL: u32 = 0x0b;

/// Ends the run with the number in `a0` as its status.
fn end() -> [u32; 3] {
    [lui(T2, 0x1000_0000), sw(A0, T2, 4), LOOP]
}

fn assemble(address_bits: u8, parts: &[&[u32]]) -> Program {
    let bytes = parts.concat().iter().flat_map(|word| word.to_le_bytes()).collect();
    Program::new(CODE, address_bits, [(CODE, bytes)]).expect("in memory")
}

/// Runs, replays, and gives both the status and the events.
fn run(parts: &[&[u32]]) -> (u32, Vec<Event>) {
    let mut results = [32, 64].map(|bits| {
        let (Captured { working_set, exit, .. }, items) =
            captured(&assemble(bits, parts), &CaptureOptions::default());
        assert!(replayed(&working_set).expect("a whole working set") == items);
        let events = items.into_iter().filter_map(|item| match item {
            Item::Event(event) => Some(event),
            _ => None,
        });
        (exit.expect("an end"), events.collect::<Vec<_>>())
    });
    assert_eq!(results[0], results[1], "RV32 and RV64");
    std::mem::take(&mut results[0])
}

fn fails(parts: &[&[u32]]) -> Error {
    let program = assemble(32, parts);
    let options = CaptureOptions { limit: 10_000, ..CaptureOptions::default() };
    capture(&program, &options, &mut (), |_| {}).expect_err("a program that cannot go on")
}

/// The compiler says in the ELF file whether there are compressed instructions.
#[test]
fn a_machine_without_compressed_instructions_jumps_to_whole_words() {
    let without = |parts: &[&[u32]]| {
        let mut program = assemble(32, parts);
        program.has_compressed = false;
        program
    };
    let options = CaptureOptions { limit: 10_000, ..CaptureOptions::default() };
    // `mepc` has no bit 1, so `mret` goes on at the whole word.
    let returns = [lui(T0, CODE as u32), addi(T0, T0, 18), csrw(0x341, T0), MRET, addi(A0, 0, 7)];
    let (Captured { working_set, exit, .. }, items) =
        captured(&without(&[&returns, &end()]), &options);
    assert_eq!(exit, Some(7));
    assert_eq!(working_set.machine.alignment, 2);
    assert_eq!(working_set.layout.instruction_set(32), "RV32IMA");
    let bytes = file::write(&working_set).expect("a small file");
    assert_eq!(file::read(&bytes), Ok(working_set.clone()));
    assert!(replayed(&working_set).expect("a whole working set") == items);

    let jumps = without(&[&[lui(T0, CODE as u32), jalr(0, T0, 10), NOP, NOP], &end()]);
    let error = capture(&jumps, &options, &mut (), |_| {}).expect_err("half a word");
    let expected = Error::Misaligned {
        program_counter: CODE + 4,
        target: CODE + 10,
        instructions: 2,
        until_event: 0,
    };
    assert_eq!(error, expected);
}

#[test]
fn a_store_conditional_writes_only_with_a_reservation() {
    let program = [
        lui(T0, DATA),
        addi(T1, 0, 7),
        atomic(3, A0, T0, T1), // sc.w without a reservation: 1
        atomic(2, A1, T0, 0),  // lr.w: 0
        atomic(3, T2, T0, T1), // sc.w: 0, writes 7
        addi(A0, A0, 0),
        lw(A1, T0, 0),
        addi(A0, A0, 10), // 11
    ];
    let add = 0x33 | A0 << 7 | A0 << 15 | A1 << 20;
    let add_t2 = 0x33 | A0 << 7 | A0 << 15 | T2 << 20;
    let (status, _) = run(&[&program, &[add, add_t2], &end()]);
    assert_eq!(status, 18);
}

#[test]
fn an_atomic_operation_is_a_load_and_a_store() {
    let amoadd = [lui(T0, DATA), addi(T1, 0, 5), atomic(0, A0, T0, T1), atomic(0, A0, T0, T1)];
    let program = assemble(32, &[&amoadd, &end()]);
    let (captured, items) = captured(&program, &CaptureOptions::default());
    assert_eq!(captured.exit, Some(5));
    let accesses = items.iter().filter_map(|item| match item {
        Item::Access(access) => Some((access.site.instructions, access.site.store, access.address)),
        _ => None,
    });
    let data = u64::from(DATA);
    assert_eq!(
        accesses.collect::<Vec<_>>(),
        [
            (3, false, data),
            (3, true, data),
            (4, false, data),
            (4, true, data),
            (6, true, 0x1000_0004)
        ]
    );
}

/// Without any fence: what was decoded is forgotten when it is written to.
#[test]
fn code_that_changes_itself_does_what_it_has_become() {
    let changed = addi(A0, A0, 100);
    let upper = changed.wrapping_add(0x800) & 0xffff_f000;
    let lower = changed.wrapping_sub(upper) as i32;
    // Twice over the instruction at 0x1001c, which is changed after the first time.
    let bne_back = 0x63 | 1 << 12 | T1 << 15 | T2 << 20 | branch_offset(-16);
    let program = [
        lui(T0, CODE as u32),
        lui(A1, upper),
        addi(A1, A1, lower),
        addi(T2, 0, 2),
        addi(T1, 0, 0),
        NOP,
        NOP,
        addi(A0, A0, 1), // 0x1001c
        addi(T1, T1, 1),
        sw(A1, T0, 0x1c),
        NOP,
        bne_back, // 0x1002c
    ];
    let (status, _) = run(&[&program, &end()]);
    assert_eq!(status, 101);
}

fn branch_offset(offset: i32) -> u32 {
    let bits = offset as u32;
    (bits >> 12 & 1) << 31 | (bits >> 5 & 63) << 25 | (bits >> 1 & 15) << 8 | (bits >> 11 & 1) << 7
}

#[test]
fn accesses_across_lines_and_pages_are_whole() {
    // 0x20000 - 2 is at the end of a line and of a page.
    let program = [
        lui(T0, DATA),
        addi(T1, 0, 0x123),
        sw(T1, T0, -2),
        lw(A0, T0, -2),
        i(0x03, 1, A1, T0, 0), // lh: the upper half
    ];
    let (status, _) = run(&[&program, &end()]);
    assert_eq!(status, 0x123);
}

/// A compressed instruction at the very end of the memory, and one that has only half of it there.
#[test]
fn code_at_the_end_of_memory() {
    for bits in [32, 64] {
        // c.j to itself in the last two bytes.
        let bytes = vec![0x01, 0x00, 0x01, 0xa0];
        let program = Program::new(0xffff_fffc, bits, [(0xffff_fffc, bytes)]).expect("in memory");
        let options = CaptureOptions { limit: 10, ..CaptureOptions::default() };
        let (captured, items) = captured(&program, &options);
        assert_eq!(captured.working_set.totals.instructions, 10);
        assert!(replayed(&captured.working_set).expect("a whole working set") == items);
    }
    let program = Program::new(0xffff_fffe, 32, [(0xffff_fffe, vec![0x13, 0])]).expect("in memory");
    let error =
        capture(&program, &CaptureOptions::default(), &mut (), |_| {}).expect_err("half a word");
    assert!(matches!(error, Error::NoHandler { cause: Cause::FetchFault, .. }), "{error}");
}

/// A line as short as an access, and code that goes on in a line that is touched later.
#[test]
fn a_line_is_touched_by_what_reaches_into_it() {
    let bytes = [NOP, NOP, LOOP].iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    // Two bytes in front of a line of 8: the first instruction is in two of them.
    let program = Program::new(CODE + 6, 32, [(CODE + 6, bytes)]).expect("in memory");
    let options = CaptureOptions { line_bytes: 8, limit: 3, ..CaptureOptions::default() };
    let (captured, items) = captured(&program, &options);
    let lines: Vec<u64> = captured.working_set.lines.iter().map(|line| line.address).collect();
    assert_eq!(lines, [CODE, CODE + 8, CODE + 16]);
    assert!(replayed(&captured.working_set).expect("a whole working set") == items);
}

#[test]
fn traps_go_to_the_handler_and_back() {
    let handler = CODE as i32 + 0x28;
    let main = [
        lui(T0, CODE as u32),
        addi(T0, T0, handler - CODE as i32),
        csrw(0x305, T0),
        addi(T1, 0, 1),
        lw(A1, 0, 0), // 0x10010: a fault at address 0
        ECALL,        // 0x10014
        ILLEGAL,      // 0x10018
        lui(T2, 0x1000_0000),
        sw(A0, T2, 4),
        LOOP,
    ];
    let handler = [
        csrr(T2, 0x342),
        0x33 | A0 << 7 | A0 << 15 | T2 << 20, // the sum of the causes
        csrr(T2, 0x341),
        addi(T2, T2, 4),
        csrw(0x341, T2),
        MRET,
    ];
    let (status, events) = run(&[&main, &handler]);
    assert_eq!(status, 5 + 11 + 2);
    let traps: Vec<(u64, u64, u64)> = events
        .iter()
        .filter(|event| event.kind == Kind::Exception)
        .map(|event| (event.instructions, event.program_counter, event.target))
        .collect();
    let to = CODE + 0x28;
    // The reset; the load does not retire; the call does; the illegal instruction is after `mret`.
    let expected = [(0, 0, CODE), (4, CODE + 0xc, to), (1, CODE + 0x14, to), (0, to + 0x14, to)];
    assert_eq!(traps, expected);
}

#[test]
fn interrupts_wait_until_they_are_enabled_and_may_be_vectored() {
    let setup = [
        lui(T2, 0x1000_0000),
        lui(T0, CODE as u32),
        addi(T0, T0, 0x101), // vectored, at 0x10100
        csrw(0x305, T0),
        addi(T0, 0, 1),
        sw(T0, T2, 0x18), // due at once
        addi(T0, 0, 0x80),
        csrw(0x304, T0), // the timer is enabled, interrupts are not
        NOP,
        csrr(A1, 0x344),     // mip: it is pending
        csr(6, 0, 0x300, 8), // csrsi: now
        WFI,
        LOOP,
    ];
    let nops = vec![NOP; 0x11c / 4 - setup.len()];
    let handler =
        [addi(A0, A1, 3), sw(0, T2, 0x18), csrr(A1, 0x344), 0x33 | A0 << 7 | A0 << 15 | A1 << 20];
    let (status, events) = run(&[&setup, &nops, &handler, &end()]);
    assert_eq!(status, 0x83);
    // Directly after the instruction that enables it.
    let taken = events[1];
    assert_eq!(
        (taken.instructions, taken.program_counter, taken.target),
        (11, CODE + 0x28, CODE + 0x11c)
    );
}

#[test]
fn what_cannot_go_on_is_said() {
    assert_eq!(
        fails(&[&[NOP, ILLEGAL]]).to_string(),
        "IllegalInstruction (mtval 0xb) at 0x10004 after 1 instructions, and the program has no trap handler \
         (mtvec is 0)"
    );
    let to_nowhere = [lui(T0, 0x4000_0000), csrw(0x305, T0), ECALL];
    assert_eq!(
        fails(&[&to_nowhere]).to_string(),
        "the trap handler at 0x40000000 traps at its first instruction (FetchFault), after 3 instructions"
    );
    let byte_of_device = [lui(T2, 0x1000_0000), i(0x03, 0, A0, T2, 8)];
    assert!(matches!(fails(&[&byte_of_device]), Error::NoHandler { cause: Cause::LoadFault, .. }));
    let outside = Program::new(0, 32, [(0x4000_0000, vec![0; 4])]).expect("a program");
    let outside = capture(&outside, &CaptureOptions::default(), &mut (), |_| {});
    assert_eq!(
        outside.expect_err("no memory there").to_string(),
        "the program's segment at 0x40000000 (4 bytes) is not in the memory of board tracewright, which is 0x1000 to \
         0xfffffff and 0x80000000 to 0xffffffff"
    );
}
