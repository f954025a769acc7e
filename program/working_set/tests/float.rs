//! Floating point against that of the machine on which the tests run, and flags against numbers of the standard.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use tracewright_working_set::{BoardDescription, CaptureOptions, Program, Rerun, boards, capture};

const CODE: u64 = 0x8000_0000;
const DATA: u64 = 0x8010_0000;
const RESULTS: u64 = 0x8020_0000;

/// `fsd` and `fld`, with f1 to f3 as operands and f4 as the result.
fn load(register: u32, offset: u32) -> u32 {
    0x07 | register << 7 | 3 << 12 | 5 << 15 | offset << 20
}

fn store(register: u32, offset: u32) -> u32 {
    0x27 | (offset & 31) << 7 | 3 << 12 | 6 << 15 | register << 20 | (offset >> 5) << 25
}

fn operation(function: u32, mode: u32) -> u32 {
    0x53 | 4 << 7 | mode << 12 | 1 << 15 | 2 << 20 | function << 25
}

fn square_root(format: u32) -> u32 {
    0x53 | 4 << 7 | 1 << 15 | (0b010_1100 | format) << 25
}

fn multiply_add(format: u32, mode: u32) -> u32 {
    0x43 | 4 << 7 | mode << 12 | 1 << 15 | 2 << 20 | 3 << 27 | format << 25
}

/// For each three operands the results of all the operations, and after each what `fflags` was.
fn run(bits: u8, operations: &[u32], operands: &[[u64; 3]]) -> Vec<Vec<(u64, u32)>> {
    let upper = |address: u64| address as u32 & 0xffff_f000;
    // x5 is where operands are, x6 where results go; mstatus.FS is on.
    let mut words = vec![
        0x37 | 5 << 7 | upper(DATA),
        0x37 | 6 << 7 | upper(RESULTS),
        0x37 | 7 << 7 | 0x6000,
        0x3000_2073 | 7 << 15,
    ];
    if bits == 64 {
        // slli and srli by 32: the addresses have no sign.
        for register in [5, 6] {
            words.push(0x13 | register << 7 | 1 << 12 | register << 15 | 32 << 20);
            words.push(0x13 | register << 7 | 5 << 12 | register << 15 | 32 << 20);
        }
    }
    for _ in operands {
        words.extend([load(1, 0), load(2, 8), load(3, 16)]);
        for operation in operations {
            words.push(0x0010_1073); // fflags = 0
            words.extend([*operation, store(4, 0)]);
            words.push(0x0010_2073 | 8 << 7); // x8 = fflags
            words.push(0x23 | 8 << 7 | 2 << 12 | 6 << 15 | 8 << 20); // sw x8, 8(x6)
            words.push(0x13 | 6 << 7 | 6 << 15 | 16 << 20);
        }
        words.push(0x13 | 5 << 7 | 5 << 15 | 24 << 20);
    }
    words.push(0x6f);
    let code = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let data = operands.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
    let program = Program::new(CODE, bits, [(CODE, code), (DATA, data)]).expect("a program");
    let board = boards::named("qemu-virt").expect("a ready board");
    let options = CaptureOptions { board: Some(board), ..CaptureOptions::default() };
    let captured = capture(&program, &options, &mut (), |_| {}).expect("it runs");
    let mut rerun = Rerun::new(captured.working_set);
    rerun.go_to(u64::MAX).expect("a replay");
    let word = |address: u64| {
        (0..8).rev().fold(0, |word, byte| {
            word << 8 | u64::from(rerun.byte(address + byte).unwrap_or_default())
        })
    };
    let mut place = (RESULTS..).step_by(16);
    let mut next = || place.next().map_or((0, 0), |at| (word(at), word(at + 8) as u32));
    operands.iter().map(|_| operations.iter().map(|_| next()).collect()).collect()
}

fn single(value: f32) -> u64 {
    u64::from(value.to_bits()) | 0xffff_ffff << 32
}

/// Numbers of all kinds: near each other, tiny, huge, special.
fn numbers(random: &mut StdRng, exponent_bits: u32, fraction_bits: u32) -> u64 {
    let exponent: u64 = match random.random_range(0..6) {
        0 => random.random_range(0..4),
        1 => (1 << exponent_bits) - random.random_range(1..4),
        _ => (1 << (exponent_bits - 1)) - 1 + random.random_range(0..8),
    };
    let fraction = match random.random_range(0..4) {
        0 => 0,
        1 => random.random_range(0..4),
        _ => random.random_range(0..1u64 << fraction_bits),
    };
    u64::from(random.random::<bool>()) << (exponent_bits + fraction_bits)
        | exponent << fraction_bits
        | fraction
}

#[test]
fn arithmetic_is_that_of_this_machine() {
    let mut random = StdRng::seed_from_u64(7);
    let same = |found: u64, expected: u64, is_nan: bool, nan: u64| {
        found == if is_nan { nan } else { expected }
    };
    let doubles: Vec<[u64; 3]> =
        (0..400).map(|_| [0; 3].map(|_: u64| numbers(&mut random, 11, 52))).collect();
    let operations = [
        operation(1, 0),
        operation(5, 0),
        operation(9, 0),
        operation(13, 0),
        square_root(1),
        multiply_add(1, 0),
    ];
    for (operands, results) in doubles.iter().zip(run(64, &operations, &doubles)) {
        let [a, b, c] = operands.map(f64::from_bits);
        let expected = [a + b, a - b, a * b, a / b, a.sqrt(), a.mul_add(b, c)];
        for ((found, _), expected) in results.into_iter().zip(expected) {
            let (nan, bits) = (0x7ff8 << 48, expected.to_bits());
            assert!(
                same(found, bits, expected.is_nan(), nan),
                "{operands:x?}: {found:#x} {bits:#x}"
            );
        }
    }
    let singles: Vec<[u64; 3]> = (0..400)
        .map(|_| [0; 3].map(|_: u64| numbers(&mut random, 8, 23) | 0xffff_ffff << 32))
        .collect();
    let operations = [
        operation(0, 0),
        operation(4, 0),
        operation(8, 0),
        operation(12, 0),
        square_root(0),
        multiply_add(0, 0),
    ];
    for (operands, results) in singles.iter().zip(run(32, &operations, &singles)) {
        let [a, b, c] = operands.map(|bits| f32::from_bits(bits as u32));
        let expected = [a + b, a - b, a * b, a / b, a.sqrt(), a.mul_add(b, c)];
        for ((found, _), expected) in results.into_iter().zip(expected) {
            let (nan, bits) = (0xffff_ffff_7fc0_0000, single(expected));
            assert!(
                same(found, bits, expected.is_nan(), nan),
                "{operands:x?}: {found:#x} {bits:#x}"
            );
        }
    }
}

/// Inexact 1, underflow 2, overflow 4, divided by zero 8, invalid 16.
#[test]
fn flags_and_rounding_modes_are_those_of_risc_v() {
    let least = f32::MIN_POSITIVE;
    let below_one = f32::from_bits(0x3f7f_ffff);
    let (tiny, third) = (f32::from_bits(1), 1.0 / 3.0);
    let infinity = f32::INFINITY;
    let signaling = f32::from_bits(0x7f80_0001);
    let add = |mode| operation(0, mode);
    let (multiply, divide) = (operation(8, 0), operation(12, 0));
    for (word, [a, b, c], expected, flags) in [
        // The nearest number of 24 bits is still tiny, although the result is not.
        (multiply, [least, below_one, 0.0], least, 3),
        // This one is nearer to a number that is not tiny.
        (multiply_add(0, 0), [2f32.powi(-75), -(2f32.powi(-76)), least], least, 1),
        (multiply, [tiny, third, 0.0], 0.0, 3),
        (multiply, [f32::MAX, 2.0, 0.0], infinity, 5),
        (operation(8, 1), [f32::MAX, 2.0, 0.0], f32::MAX, 5),
        (divide, [1.0, 0.0, 0.0], infinity, 8),
        (divide, [0.0, 0.0, 0.0], f32::NAN, 16),
        (add(0), [signaling, 1.0, 0.0], f32::NAN, 16),
        (add(0), [f32::NAN, 1.0, 0.0], f32::NAN, 0),
        (multiply_add(0, 0), [infinity, 0.0, f32::NAN], f32::NAN, 16),
        // A half of the last bit: to even, to zero, down, up, away.
        (add(0), [16_777_216.0, 1.0, 0.0], 16_777_216.0, 1),
        (add(1), [16_777_216.0, 1.0, 0.0], 16_777_216.0, 1),
        (add(2), [16_777_216.0, 1.0, 0.0], 16_777_216.0, 1),
        (add(3), [16_777_216.0, 1.0, 0.0], 16_777_218.0, 1),
        (add(4), [16_777_216.0, 1.0, 0.0], 16_777_218.0, 1),
        (square_root(0), [-1.0, 0.0, 0.0], f32::NAN, 16),
        (square_root(0), [2.0, 0.0, 0.0], std::f32::consts::SQRT_2, 1),
    ] {
        let expected = if expected.is_nan() { 0xffff_ffff_7fc0_0000 } else { single(expected) };
        for bits in [32, 64] {
            let results = run(bits, &[word], &[[a, b, c].map(single)]);
            assert_eq!(results, [[(expected, flags)]], "{word:#x} of {a:e}, {b:e}, {c:e}");
        }
    }
}

#[test]
fn a_number_of_32_bits_is_in_a_box() {
    // Without ones above it is not a number; a board without F has no such instructions.
    let results = run(64, &[operation(0, 0)], &[[1f32.to_bits().into(), single(1.0), 0]]);
    assert_eq!(results, [[(0xffff_ffff_7fc0_0000, 0)]]);
    let text = "name = \"bare\"\nextensions = \"imac\"\nmemory = [{ address = 0x80000000, bytes = 0x1000 }]\n";
    let board = BoardDescription::parse(text).expect("a board");
    let code = operation(0, 0).to_le_bytes().to_vec();
    let program = Program::new(CODE, 32, [(CODE, code)]).expect("a program");
    let options = CaptureOptions { board: Some(board), ..CaptureOptions::default() };
    let error = capture(&program, &options, &mut (), |_| {}).expect_err("an illegal instruction");
    assert!(error.to_string().starts_with("IllegalInstruction"), "{error}");
}
