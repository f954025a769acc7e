//! A table of the RISC-V formal interface: a row for each instruction, and the signals' names as those of the columns.
//!
//! `rvfi_insn`, `rvfi_pc_rdata` and `rvfi_pc_wdata` have to be there; `rvfi_valid`, `rvfi_order`, `rvfi_trap`,
//! `rvfi_intr`, `rvfi_mem_addr`, `rvfi_mem_rmask`, `rvfi_mem_wmask` and `hart` are read where they are. Values are
//! hexadecimal with or without `0x`, as `%h` and `%x` print them; `rvfi_order` and `hart` are decimal.

use std::io::BufRead;

use tracewright_sim::config::mask;
use tracewright_sim::pins::ingress;

use super::Table;
use crate::error::Problem;
use crate::flow::DataAccess;
use crate::follower::{Follower, Logged};
use crate::words::hexadecimal;

struct Columns {
    insn: usize,
    pc_rdata: usize,
    pc_wdata: usize,
    valid: Option<usize>,
    order: Option<usize>,
    trap: Option<usize>,
    intr: Option<usize>,
    mem_addr: Option<usize>,
    mem_rmask: Option<usize>,
    mem_wmask: Option<usize>,
    hart: Option<usize>,
}

impl Columns {
    fn of(table: &Table<impl BufRead>) -> Result<Columns, Problem> {
        Ok(Columns {
            insn: table.required(ingress::RVFI_INSN.name)?,
            pc_rdata: table.required(ingress::RVFI_PC_RDATA.name)?,
            pc_wdata: table.required(ingress::RVFI_PC_WDATA.name)?,
            valid: table.column(ingress::RVFI_VALID.name),
            order: table.column("rvfi_order"),
            trap: table.column(ingress::RVFI_TRAP.name),
            intr: table.column(ingress::RVFI_INTR.name),
            mem_addr: table.column("rvfi_mem_addr"),
            mem_rmask: table.column("rvfi_mem_rmask"),
            mem_wmask: table.column("rvfi_mem_wmask"),
            hart: table.column("hart"),
        })
    }
}

/// Reads a table to its end.
pub(crate) fn read(
    table: &mut Table<impl BufRead>,
    follower: &mut Follower<'_>,
) -> Result<(), Problem> {
    let columns = Columns::of(table)?;
    let mut orders = [None; 8];
    // Where the last instruction of each thread leads.
    let mut leads_to = [None; 8];
    let address_mask = mask(follower.code.set().address_bits().into());
    let mut accesses = Vec::new();
    while table.next_row()? {
        follower.lines += 1;
        let flag = |column| table.optional(column, "0 or 1", bit);
        if flag(columns.valid)? == Some(false) {
            continue;
        }
        let hart = table.optional(columns.hart, "the number of a hart", decimal)?;
        let Some(thread) = follower.thread(hart.unwrap_or(0))? else { continue };
        let order = table.optional(columns.order, "a decimal number as rvfi_order", decimal)?;
        check_order(&mut orders[usize::from(thread)], order)?;
        let address = "an address in hexadecimal, such as 0x80000000";
        let word = "an instruction's word in hexadecimal, such as 0x00000013";
        accesses.clear();
        if let Some(address) = table.optional(columns.mem_addr, address, hexadecimal)? {
            let mask =
                |column| table.optional(column, "a mask of bytes in hexadecimal", hexadecimal);
            for (column, store) in [(columns.mem_rmask, false), (columns.mem_wmask, true)] {
                if mask(column)?.is_some_and(|mask| mask != 0) {
                    accesses.push(DataAccess { store, address });
                }
            }
        }
        let logged = Logged {
            program_counter: table.parsed(columns.pc_rdata, address, hexadecimal)?,
            word: Some(table.parsed(columns.insn, word, hexadecimal)? as u32),
            leads_to: Some(table.parsed(columns.pc_wdata, address, hexadecimal)?),
            traps: flag(columns.trap)?.unwrap_or(false),
            is_handler: flag(columns.intr)?.unwrap_or(false),
            accesses: &accesses,
        };
        let before = leads_to[usize::from(thread)].take();
        let is_other = |before: u64| (before ^ logged.program_counter) & address_mask != 0;
        follower.other_next += u64::from(!logged.is_handler && before.is_some_and(is_other));
        leads_to[usize::from(thread)] = logged.leads_to.filter(|_| !logged.traps);
        follower.instruction(thread, &logged)?;
    }
    Ok(())
}

/// The numbers of the instructions of a hart follow each other.
fn check_order(last: &mut Option<u64>, order: Option<u64>) -> Result<(), Problem> {
    let Some(found) = order else { return Ok(()) };
    match last.replace(found).map(|last| last.wrapping_add(1)) {
        Some(expected) if expected != found => Err(Problem::Order { expected, found }),
        _ => Ok(()),
    }
}

/// A signal of one bit.
fn bit(cell: &[u8]) -> Option<bool> {
    hexadecimal(cell).filter(|value| *value <= 1).map(|value| value == 1)
}

/// A decimal number.
pub(crate) fn decimal<T: std::str::FromStr>(cell: &[u8]) -> Option<T> {
    let is_number = !cell.is_empty() && cell.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(cell).ok().filter(|_| is_number)?.parse().ok()
}
