//! Tables of a retirement port: a row for each instruction, and the names of pins as those of the columns.
//!
//! | table | has to be there | read where it is |
//! |---|---|---|
//! | of the RISC-V formal interface | `rvfi_insn`, `rvfi_pc_rdata` | `rvfi_pc_wdata`, `rvfi_valid`, `rvfi_order`, `rvfi_trap`, `rvfi_intr`, `rvfi_compressed` or `compressed`, `rvfi_mem_addr`, `rvfi_mem_rmask`, `rvfi_mem_wmask` |
//! | of the port `retired` | `retired_pc`, `retired_word` | `retired_next_pc`, `retired_valid`, `retired_number`, `retired_trap`, `retired_interrupt`, `retired_compressed` |
//! | of program counters | `pc` | `insn`, or `binary` as RISCV-DV calls it |
//!
//! All may have `hart`, `cycle` and `stall`. Values are hexadecimal with or without `0x`, as `%h` and `%x` print them;
//! the number of an instruction, `hart` and `cycle` are decimal. A trap and an interrupt may be a record of any width
//! whose bit 0 says that there is one.

use std::io::BufRead;

use tracewright_sim::pins::{ingress, module};

use super::Table;
use crate::error::Problem;
use crate::flow::DataAccess;
use crate::format::Format;
use crate::port::row::{Kind, Port, Row, TakeRows};
use crate::words::{decimal, hexadecimal, number, without_prefix, word_of_32_bits};

/// What the columns are called.
struct Names {
    program_counter: &'static str,
    word: &'static str,
    next: &'static str,
    valid: &'static str,
    number: &'static str,
    number_is: &'static str,
    trap: &'static str,
    interrupt: &'static str,
    compressed: &'static str,
}

const RVFI: Names = Names {
    program_counter: ingress::RVFI_PC_RDATA.name,
    word: ingress::RVFI_INSN.name,
    next: ingress::RVFI_PC_WDATA.name,
    valid: ingress::RVFI_VALID.name,
    number: "rvfi_order",
    number_is: "a decimal number as rvfi_order",
    trap: ingress::RVFI_TRAP.name,
    interrupt: ingress::RVFI_INTR.name,
    compressed: ingress::RVFI_COMPRESSED.name,
};

const RETIRED: Names = Names {
    program_counter: ingress::RETIRED_PC.name,
    word: ingress::RETIRED_WORD.name,
    next: ingress::RETIRED_NEXT_PC.name,
    valid: ingress::RETIRED_VALID.name,
    number: ingress::RETIRED_NUMBER.name,
    number_is: "a decimal number as retired_number",
    trap: ingress::RETIRED_TRAP.name,
    interrupt: ingress::RETIRED_INTERRUPT.name,
    compressed: ingress::RETIRED_COMPRESSED.name,
};

/// Hexadecimal digits of a record that are kept.
const RECORD_DIGITS: usize = 16;

const ADDRESS: &str = "an address in hexadecimal, such as 0x80000000";
const WORD: &str = "an instruction's word of at most 32 bits in hexadecimal, such as 0x00000013";

/// The places of the columns.
struct Columns {
    program_counter: usize,
    word: Option<usize>,
    next: Option<usize>,
    valid: Option<usize>,
    number: Option<usize>,
    /// What a cell of that column has to be.
    number_is: &'static str,
    trap: Option<usize>,
    interrupt: Option<usize>,
    compressed: Option<usize>,
    address: Option<usize>,
    read_mask: Option<usize>,
    write_mask: Option<usize>,
    hart: Option<usize>,
    cycle: Option<usize>,
    stall: Option<usize>,
}

impl Columns {
    fn of(table: &Table<impl BufRead>, format: Format) -> Result<Columns, Problem> {
        let names = match format {
            Format::Rvfi => RVFI,
            Format::Retired => RETIRED,
            _ => {
                let word = table.column("insn").or(table.column("binary"));
                let program_counter = table.required("pc")?;
                let hart = table.column("hart");
                return Ok(Columns { word, hart, ..Columns::bare(program_counter) });
            }
        };
        Ok(Columns {
            word: Some(table.required(names.word)?),
            next: table.column(names.next),
            valid: table.column(names.valid),
            number: table.column(names.number),
            number_is: names.number_is,
            trap: table.column(names.trap),
            interrupt: table.column(names.interrupt),
            compressed: table.column(names.compressed).or(table.column("compressed")),
            address: table.column("rvfi_mem_addr"),
            read_mask: table.column("rvfi_mem_rmask"),
            write_mask: table.column("rvfi_mem_wmask"),
            hart: table.column("hart"),
            cycle: table.column("cycle"),
            stall: table.column(module::STALL.name),
            ..Columns::bare(table.required(names.program_counter)?)
        })
    }

    fn bare(program_counter: usize) -> Columns {
        Columns {
            program_counter,
            word: None,
            next: None,
            valid: None,
            number: None,
            number_is: "a decimal number",
            trap: None,
            interrupt: None,
            compressed: None,
            address: None,
            read_mask: None,
            write_mask: None,
            hart: None,
            cycle: None,
            stall: None,
        }
    }

    fn port(&self, format: Format) -> Port {
        Port {
            kind: if format == Format::Rvfi { Kind::Rvfi } else { Kind::Retired },
            lanes: 1,
            word: self.word.is_some(),
            next: self.next.is_some(),
            trap: self.trap.is_some(),
            interrupt: self.interrupt.is_some(),
            compressed: self.compressed.is_some(),
            number: self.number.is_some(),
            stall: self.stall.is_some(),
        }
    }
}

/// Reads a table to its end.
pub(crate) fn read(
    table: &mut Table<impl BufRead>,
    format: Format,
    sink: &mut dyn TakeRows,
) -> Result<(), Problem> {
    let columns = Columns::of(table, format)?;
    sink.port(&columns.port(format))?;
    let mut accesses = Vec::new();
    while table.next_row()? {
        let flag = |column| table.optional(column, "0 or 1", bit);
        let record = |column| table.optional(column, "a number in hexadecimal", record);
        let stalled = flag(columns.stall)?.unwrap_or(false);
        if flag(columns.valid)? == Some(false) {
            sink.idle(stalled);
            continue;
        }
        let mut row = Row {
            place: table.line(),
            hart: table.optional(columns.hart, "the number of a hart", decimal)?.unwrap_or(0),
            cycle: table.optional(columns.cycle, "a decimal number as cycle", number)?,
            program_counter: table.parsed(columns.program_counter, ADDRESS, hexadecimal)?,
            trap: record(columns.trap)?.unwrap_or(0),
            interrupt: record(columns.interrupt)?.unwrap_or(0),
            compressed: flag(columns.compressed)?,
            number: table.optional(columns.number, columns.number_is, number)?,
            stalled,
            ..Row::default()
        };
        let has_word = format != Format::ProgramCounters || !table.cell(columns.word).is_empty();
        let word = columns.word.filter(|_| has_word);
        row.word = known(table, word, (WORD, word_of_32_bits), &row, sink)?.map(|word| word as u32);
        row.next = known(table, columns.next, (ADDRESS, hexadecimal), &row, sink)?;
        accesses.clear();
        if let Some(address) = table.optional(columns.address, ADDRESS, hexadecimal)? {
            let masks = [(columns.read_mask, false), (columns.write_mask, true)];
            for (column, store) in masks {
                let mask = table.optional(column, "a mask of bytes in hexadecimal", hexadecimal)?;
                if mask.is_some_and(|mask| mask != 0) {
                    accesses.push(DataAccess { store, address });
                }
            }
        }
        sink.row(&row, &accesses)?;
    }
    Ok(())
}

/// How a cell is read.
type Parse = fn(&[u8]) -> Option<u64>;

/// A cell of a column that a row should have, or nothing if its bits are unknown and the sink takes that, or if the
/// instruction trapped.
fn known(
    table: &Table<impl BufRead>,
    column: Option<usize>,
    (expected, parse): (&'static str, Parse),
    row: &Row,
    sink: &mut dyn TakeRows,
) -> Result<Option<u64>, Problem> {
    let Some(column) = column else { return Ok(None) };
    match table.parsed(column, expected, parse) {
        Err(problem) if is_unknown(table.cell(Some(column))) => {
            if !row.traps() {
                sink.unknown(problem)?;
            }
            Ok(None)
        }
        parsed => parsed.map(Some),
    }
}

/// True for a cell of unknown bits, or an empty one.
fn is_unknown(cell: &[u8]) -> bool {
    without_prefix(cell)
        .iter()
        .all(|digit| matches!(digit, b'x' | b'X' | b'z' | b'Z' | b'u' | b'U' | b'-'))
}

/// The lowest 64 bits of a record.
fn record(cell: &[u8]) -> Option<u64> {
    let digits = without_prefix(cell);
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
    let lowest = digits.len().saturating_sub(RECORD_DIGITS);
    if is_number { hexadecimal(&digits[lowest..]) } else { None }
}

/// A signal of one bit.
fn bit(cell: &[u8]) -> Option<bool> {
    hexadecimal(cell).filter(|value| *value <= 1).map(|value| value == 1)
}
