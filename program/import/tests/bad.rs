//! Logs that are cut, mixed up, or of something else.

use std::io::Write;

use tracewright_image::InstructionSet;
use tracewright_import::{Format, Options};

use crate::common::{error, of_program, of_set, whole};

const LINE: &str = "core   0: 0x0000000080000000 (0x00000013) nop\n";

fn refuses(log: impl AsRef<[u8]>, said: &str) {
    assert_eq!(error(log, Options::default()), said);
}

#[test]
fn files_of_other_kinds() {
    refuses("", "run.log: expected a log, found nothing");
    refuses(
        b"\x7fELF\x01\x01",
        "run.log: expected a log, found an ELF file, which is the program of a log: --program FILE",
    );
    refuses("PET1", "run.log: expected a log, found a trace already");
    refuses(
        "nothing that\nis known\n",
        "run.log: expected a log of a known format, which --format NAME can name, found one that begins with \"nothing that\"",
    );
    let garbage: Vec<u8> = (0..60_000u32).map(|index| ((index * index) >> 3) as u8 | 1).collect();
    assert!(error(&garbage, Options::default()).contains("expected a log of a known format"));
    let asked = |format| Options { format: Some(format), ..of_set(InstructionSet::RV64) };
    for format in [Format::Spike, Format::Ibex, Format::Cva6, Format::Qemu] {
        assert_eq!(
            error("nothing that\nis known\n", asked(format)),
            format!("run.log: expected {format}, found no line of one")
        );
    }
    let alone = |format| Options { format: Some(format), ..Options::default() };
    let qemu = "Trace 0: 0x7fd17d000100 [0000000000000000/0000000000010584/00207600/00000200] \n";
    assert_eq!(
        error(qemu, alone(Format::Spike)),
        "run.log: expected a log of Spike (-l, --log-commits), found a log of QEMU (-d exec,nochain)"
    );
    assert_eq!(
        error("nothing that\n", alone(Format::Csv)),
        "run.log: expected a trace as comma-separated values, found no line of one"
    );
    assert!(error(&garbage, asked(Format::Qemu)).contains("expected text, found the byte"));
}

/// The same log, compressed, with the largest number of events that it may have, and one less.
#[test]
fn compressed_logs_and_many_events() {
    let jump = LINE.replace("0x0000000080000000", "0x0000000080000004");
    let log = format!("{}{LINE}", jump.replace("0x00000013", "0xffdff06f"));
    let gzip = |log: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(log.as_bytes()).expect("memory");
        encoder.finish().expect("memory")
    };
    let packed = [gzip(&log), zstd::encode_all(log.as_bytes(), 1).expect("memory")];
    let most = |events| Options { events_max: Some(events), ..Options::default() };
    let (expected, _) = whole(log.as_bytes(), Options::default()).expect("a trace");
    assert_eq!(expected.lines().count(), 3, "{expected}");
    for file in &packed {
        assert_eq!(whole(file, most(2)).expect("a trace").0, expected);
        let said = "expected at most 1 events, found more; --max-events sets the limit";
        assert!(error(file, most(1)).ends_with(said), "{}", error(file, most(1)));
        let cut = error(&file[..file.len() - 4], Options::default());
        assert!(cut.starts_with("run.log: cannot read: "), "{cut}");
    }
    let two = gzip(&log[..LINE.len()]).into_iter().chain(gzip(&log[LINE.len()..]));
    assert_eq!(whole(&two.collect::<Vec<u8>>(), Options::default()).expect("a trace").0, expected);
    refuses(gzip("PET1"), "run.log: expected a log, found a trace already");
}

#[test]
fn lines_that_are_cut() {
    let cut = |bytes: usize| format!("{LINE}{}", &LINE[..bytes]);
    let expected =
        "expected an address, such as 0x80000000, and an instruction's word, such as (0x00000013)";
    for bytes in [14, 22, 28, 30, 35, 40] {
        refuses(cut(bytes), &format!("run.log, line 2: {expected}, found the end of the line"));
    }
    refuses(
        cut(9),
        "run.log, line 2: expected an instruction (0x...), its privilege level, or an exception, found the end of the line",
    );
    refuses(
        format!("{LINE}core   0: 3 0x0000000080000000 (0x00000013) x4  0x00 mem 0x\n"),
        "run.log, line 2: expected an address after `mem`, found \"0x\"",
    );
    refuses(
        format!("{LINE}core   0: exception trap_breakpoint, ep"),
        "run.log, line 2: expected the name of an exception and `, epc 0x...`, found \"trap_breakpoint, ep\"",
    );
    refuses(
        "Time\tCycle\tPC\tInsn\tDecoded instruction\tRegister and memory contents\n 64\t 8\t001000",
        "run.log, line 2: expected an address, such as 00100080, in the third column, found \"001000\"",
    );
    let log = "Trace 0: 0x7fd17d000100 [0000000000000000/00000000000105";
    assert_eq!(
        error(log, of_set(InstructionSet::RV64)),
        "run.log, line 1: expected `Trace 0: 0x7f6ba3a00100 [.../ADDRESS/...]` of a block, found \"0: 0x7fd17d000100 [0000000000000000/0000\" and more"
    );
    refuses(
        "     185ns       14 M 0000000000010000 0 0000",
        "run.log, line 1: expected an instruction's word of eight digits, such as 00000013, found the end of the line",
    );
}

#[test]
fn bytes_that_are_no_text() {
    refuses(
        [LINE.as_bytes(), b"core\0"].concat(),
        "run.log, line 2: expected text, found the byte 0x00",
    );
    refuses(
        format!("{LINE}{}", "x".repeat(20_000)),
        "run.log, line 2: expected a line of at most 16384 bytes, found a longer one",
    );
}

#[test]
fn harts_and_programs_that_do_not_match() {
    let options = Options { hart: Some(3), ..Options::default() };
    assert_eq!(error(LINE, options), "run.log: expected instructions of hart 3, found only hart 0");
    refuses(
        LINE.replace("core   0", "core  12"),
        "run.log, line 1: expected harts 0 to 7, found hart 12; --hart N takes one",
    );
    let pc = "pc\n0x10000\n0x90000000\n";
    assert_eq!(
        error(pc, of_program("rv32imac-crc.elf")),
        "run.log, line 3: no file of the program has code at 0x90000000: expected the program of this log, or --image FILE@ADDRESS for its libraries and boot code"
    );
    let words = "pc,insn\n0x10000,0x12345678\n";
    let said = error(words, of_program("rv32imac-crc.elf"));
    assert!(
        said.starts_with("run.log, line 2: at 0x10000 the log has the instruction 0x5678"),
        "{said}"
    );
    let other =
        Options { instruction_set: Some(InstructionSet::RV64), ..of_program("rv32imac-crc.elf") };
    assert_eq!(
        error(LINE, other),
        "run.log: expected a program of 64-bit RISC-V, found one of 32-bit RISC-V"
    );
    assert_eq!(
        error(LINE, of_set(InstructionSet::Arm)),
        "run.log: a log of Spike (-l, --log-commits) is of RISC-V code, found a program of ARM"
    );
}

/// Values that no instruction has are refused with their row.
#[test]
fn values_that_cannot_be() {
    let table = "pc,insn\n1000,00a00593\n1004,0000006f\n";
    let refuses = |log: String, says: &str| {
        let said = error(log, of_set(InstructionSet::RV32));
        assert!(said.starts_with(&format!("run.log, line 3: {says}")), "{said}");
    };
    refuses(
        table.replace("1004,", "100001004,"),
        "expected an address of 32 bits, found 0x100001004",
    );
    refuses(
        table.replace("0000006f", "10000006f"),
        "expected an instruction's word of at most 32 bits",
    );
    let later = format!("{table}{}", "1004,0000006f\n".repeat(100_000));
    let late = format!("{later}100001004,0000006f\n");
    assert!(
        error(late, Options::default())
            .starts_with("run.log, line 100004: expected an address of 32")
    );
    // Addresses of 32 bits may be extended to 64.
    let extended = table.replace("100", "ffffffff8000100");
    whole(extended.as_bytes(), of_set(InstructionSet::RV32)).expect("a table");
    let rvfi =
        "rvfi_insn,rvfi_pc_rdata,rvfi_pc_wdata\n00000013,1000,1004\n00000013,1004,100001008\n";
    refuses(rvfi.into(), "expected an address of 32 bits, found 0x100001008");
    refuses(rvfi.replace("00000013,1004", "900000013,1004"), "expected an instruction's word");
    // Ibex prints four digits of a compressed instruction, and eight of another one.
    let ibex = "Time\tCycle\tPC\tInsn\tDecoded instruction\tRegister and memory contents\n 64\t8\t00100080\t0001\tc.nop\t\n";
    for word in ["0073", "0000450d"] {
        let line = format!(" 66\t9\t00100082\t{word}\tnop\t\n");
        refuses(
            format!("{ibex}{line}"),
            "expected four digits of a compressed instruction, or eight",
        );
    }
}

/// Spike says where there are exceptions: where it does not, an instruction leads to the next one, or a line is missing.
#[test]
fn a_line_of_spike_that_is_missing() {
    let line = |pc: u32, word: &str| format!("core   0: 0x{pc:016x} ({word}) x\n");
    let nop = |pc| line(pc, "0x00000013");
    let gap = format!("{}{}{}", nop(0x8000_0000), nop(0x8000_0004), nop(0x8000_000c));
    let says = "the instruction at 0x80000004 does not lead to 0x8000000c, and the log has no exception there";
    refuses_with(&format!("{gap}{}", nop(0x8000_0010)), says);
    let branch = line(0x8000_0004, "0xfe000ee3");
    let wrong = format!("{}{branch}{}{}", nop(0x8000_0000), nop(0x8000_0010), nop(0x8000_0014));
    refuses_with(&wrong, "the instruction at 0x80000004 does not lead to 0x80000010");
    let epc = format!(
        "{}{branch}core   0: exception interrupt #7, epc 0x0000000080000006\n",
        nop(0x8000_0000)
    );
    refuses_with(&epc, "the instruction at 0x80000004 does not lead to 0x80000006");
    let short = format!("{}{}", nop(0x8000_0000), line(0x8000_0004, "0x0073"));
    refuses_with(&short, "expected an address, such as 0x80000000, and an instruction's word");
}

fn refuses_with(log: &str, says: &str) {
    let said = error(log, Options::default());
    assert!(said.contains(says), "{said}");
}

#[test]
fn what_needs_a_program() {
    let trace = "Trace 0: 0x7fd17d000100 [0000000000000000/0000000000010584/00207600/00000200] \n";
    refuses(
        trace,
        "run.log: the log does not say which processor it is of: expected --program FILE or --isa NAME",
    );
    assert_eq!(
        error(trace, of_set(InstructionSet::RV64)),
        "run.log, line 1: the log does not have the instructions of the block at 0x10584: expected a log with -d in_asm, or the program, --program FILE"
    );
    assert_eq!(
        error("pc\n0x1000\n", of_set(InstructionSet::RV32)),
        "run.log, line 2: the log does not have the instruction at 0x1000: expected the program, --program FILE"
    );
}

#[test]
fn tables() {
    let machine = "# machine riscv alignment=1 address_bits=32\ninstructions,kind,program_counter,taken,target\n";
    let refused = |row: &str, said: &str| {
        refuses(format!("{machine}{row}\n"), &format!("run.log, line 3: {said}"));
    };
    refused("1,direct-jump,0x1000,1,", "expected a target where taken, found nothing");
    refused("1,direct-jump,0x1000,2,0x1000", "expected 0 or 1, found \"2\"");
    refused(
        "1,jump,0x1000,1,0x1000",
        "expected a kind, such as direct-conditional, found \"jump\"",
    );
    refused(
        "1,direct-jump,0x1000,1",
        "expected 5 cells, as many as the names in the first row, found 4",
    );
    refused(
        "1,direct-jump,0x1001,1,0x1000",
        "expected the program counter to be a multiple of 2, found 0x1001",
    );
    refused("one,direct-jump,0x1001,1,0x1000", "expected a number, such as 0x1000, found \"one\"");
    let machine = "{\"kind\":\"machine\",\"isa\":\"riscv\",\"alignment\":1,\"address_bits\":32,\"extensions\":[]}\n";
    let said = error(format!("{machine}{{\"kind\":\"load\"\n"), Options::default());
    assert_eq!(said, "run.log, line 2: EOF while parsing an object, at character 14");
    refuses(
        format!(
            "{machine}{{\"kind\":\"exception\",\"instructions\":0,\"program_counter\":0,\"taken\":true}}\n"
        ),
        "run.log, line 2: expected a target where taken, found nothing",
    );
    let rvfi = "rvfi_order,rvfi_insn,rvfi_pc_rdata,rvfi_pc_wdata\n0,13,1000,1004\n2,13,1008,100c\n";
    refuses(rvfi, "run.log, line 3: expected rvfi_order 1, found 2: instructions are missing");
    refuses(
        "PC;insn;pc\n1000;13;1000\n",
        "run.log: expected one column pc, found two of this name",
    );
    refuses(
        "rvfi_insn,rvfi_pc_rdata\n",
        "run.log: expected a column rvfi_pc_wdata, found none of this name",
    );
}
