//! Writes the code of every function that ran, with the number of runs of each instruction.

use std::io::{self, Write};

use tracewright_image::Image;
use tracewright_sim::code::Code;

use crate::disassembly::{self, Disassembler};
use crate::functions::{FunctionCount, Functions};
use crate::lines::Lines;
use crate::profile::Counts;

/// Writes the code of functions of a program, in the order given.
///
/// For a function whose symbol has a length every instruction is written, for others those that ran.
///
/// # Errors
/// When the file cannot be written.
pub fn annotate(
    image: &Image,
    counts: &Counts,
    functions: &Functions<'_>,
    order: &[FunctionCount],
    into: &mut impl Write,
) -> io::Result<()> {
    let mut disassembler = Disassembler::new(image.instruction_set());
    let mut lines = Lines::of_image(image);
    let all = counts.total.max(1) as f64;
    for function in order {
        let share = 100.0 * function.instructions as f64 / all;
        writeln!(
            into,
            "{}: {} instructions, {share:.2} %, entered {} times",
            function.function, function.instructions, function.entered
        )?;
        let mut last_source = None;
        let mut behind = None;
        let mut listed = addresses(image, counts, functions, function.address);
        for part in functions.cold_parts(function.address) {
            listed.extend(part_addresses(image, counts, part));
        }
        for address in listed {
            let byte_address = image.instruction_set().byte_address(address);
            let count = counts.of(address);
            if behind.is_some_and(|behind| behind != byte_address) {
                writeln!(into, "{:>14}", "...")?;
            }
            let length = image.instruction(address).map_or(0, |instruction| instruction.length);
            behind = Some(byte_address + u64::from(length));
            let source = lines.spoken(byte_address);
            if source != last_source
                && let Some(source) = &source
            {
                writeln!(into, "{:>16}{source}", "")?;
            }
            last_source = source;
            let text = disassembly::line(image, &mut disassembler, address);
            let taken = match counts.site(address) {
                Some(site) if site.branch.kind.is_conditional() => {
                    let share = 100.0 * site.taken as f64 / site.executed.max(1) as f64;
                    format!("  ; taken {share:.1} %")
                }
                Some(site) if site.branch.kind.is_indirect() && site.targets.len() > 1 => {
                    format!("  ; {} targets", site.targets.len())
                }
                _ => String::new(),
            };
            writeln!(into, "{count:>14}  {text}{taken}")?;
        }
        writeln!(into)?;
    }
    Ok(())
}

/// The instructions that ran of a part of a function that has its own symbol.
fn part_addresses(image: &Image, counts: &Counts, start: u64) -> Vec<u64> {
    let size = image.function_at(start).map_or(0, |symbol| symbol.size);
    counts.within(start, start.saturating_add(size)).iter().map(|(address, _)| *address).collect()
}

/// The instructions of the function that begins at `start`.
fn addresses(image: &Image, counts: &Counts, functions: &Functions<'_>, start: u64) -> Vec<u64> {
    let symbol = image.function_at(start).filter(|symbol| symbol.address == start);
    let end = symbol.map(|symbol| symbol.address.saturating_add(symbol.size.max(1)));
    let is_whole = symbol.is_some_and(|symbol| symbol.size > 0);
    let ran = counts.within(start, end.filter(|_| is_whole).unwrap_or(u64::MAX));
    if !is_whole {
        let ours = |(address, _): &&(u64, u64)| functions.start(*address) == start;
        return ran.iter().take_while(ours).map(|(address, _)| *address).collect();
    }
    // The instructions that ran give the instruction boundaries; the code between them is decoded in sequence.
    let end = end.unwrap_or(start);
    let mut addresses = Vec::new();
    let mut at = ran.first().map_or(start, |(first, _)| {
        start | (first & !image.instruction_set().byte_address(*first))
    });
    let mut next = ran.iter().map(|(address, _)| *address).peekable();
    while at < end {
        while next.next_if(|next| *next <= at).is_some() {}
        addresses.push(at);
        let Some(instruction) = image.instruction(at) else {
            addresses.pop();
            match next.peek() {
                Some(next) => at = *next,
                None => break,
            }
            continue;
        };
        let following = at + u64::from(instruction.length);
        at = match next.peek() {
            Some(next) if *next < following => *next,
            _ => following,
        };
    }
    // Another function may lie within this one.
    addresses.retain(|address| functions.start(*address) == start);
    addresses
}
