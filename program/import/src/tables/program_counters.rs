//! A table of program counters: a column `pc`, and `insn` and `hart` if there are any, in the order of execution. RISCV-DV
//! calls the words `binary`.

use std::io::BufRead;

use super::Table;
use crate::error::Problem;
use crate::follower::{Follower, Logged};
use crate::words::hexadecimal;

/// Reads a table to its end.
pub(crate) fn read(
    table: &mut Table<impl BufRead>,
    follower: &mut Follower<'_>,
) -> Result<(), Problem> {
    let program_counter = table.required("pc")?;
    let (insn, hart) = (table.column("insn").or(table.column("binary")), table.column("hart"));
    while table.next_row()? {
        follower.lines += 1;
        let hart = table.optional(hart, "the number of a hart", super::rvfi::decimal)?;
        let Some(thread) = follower.thread(hart.unwrap_or(0))? else { continue };
        let address = "an address in hexadecimal, such as 0x80000000, as pc";
        let word = "an instruction's word in hexadecimal, such as 0x00000013, as insn";
        let program_counter = table.parsed(program_counter, address, hexadecimal)?;
        let word = table.optional(insn, word, hexadecimal)?.map(|word| word as u32);
        follower.instruction(thread, &Logged { program_counter, word, ..Logged::default() })?;
    }
    Ok(())
}
