//! Making up a program: functions by [`constructs`](super::constructs), then addresses for them.

use std::ops::Range;

use super::constructs::{self, Role};
use super::dice::Dice;
use super::draft::{Draft, Goal, Label};
use super::options::Options;
use super::program::{Destination, Instruction, Position, Program, Site};

/// Addresses kept free at the top, so that none wraps.
const TOP_MARGIN: u64 = 16;

/// Makes up the program of these options, which are valid.
pub(super) fn program(options: &Options, dice: &mut Dice) -> Program {
    let mut draft = Draft::new(options, dice);
    let functions: Vec<Label> = (0..options.functions).map(|_| draft.label()).collect();
    for (index, &label) in functions.iter().enumerate() {
        let role = if index == 0 { Role::Main } else { Role::Function };
        constructs::function(&mut draft, label, role, index, &functions);
    }
    let handler_count = if options.exceptions { draft.dice.between(1, 3) } else { 0 };
    let handlers: Vec<Label> = (0..handler_count).map(|_| draft.label()).collect();
    for &label in &handlers {
        constructs::function(&mut draft, label, Role::Handler, functions.len(), &functions);
    }
    link(draft, &functions, &handlers)
}

/// Gives every instruction an address and every goal its position.
fn link(draft: Draft<'_>, functions: &[Label], handlers: &[Label]) -> Program {
    let Draft { options, dice, lengths, sites, labels, starts } = draft;
    let instructions = lay_out(options, dice, &lengths, &starts);
    let site_ordinals: Vec<u32> = sites.iter().map(|(ordinal, ..)| *ordinal).collect();
    let position = |label: Label| {
        let ordinal = labels[label.0];
        Position {
            address: instructions[ordinal as usize].address,
            ordinal,
            site: site_ordinals.partition_point(|&site| site < ordinal) as u32,
        }
    };
    let handlers: Vec<Position> = handlers.iter().copied().map(position).collect();
    let mut tables = handlers.clone();
    let sites = sites
        .into_iter()
        .map(|(ordinal, shape, goal)| {
            let destination = match goal {
                Goal::Label(label) => Destination::Fixed(position(label)),
                Goal::Table { labels, sticky } => {
                    let first = tables.len() as u32;
                    tables.extend(labels.iter().copied().map(position));
                    Destination::Table { first, count: labels.len() as u32, sticky }
                }
                Goal::Handlers => Destination::Table {
                    first: 0,
                    count: handlers.len() as u32,
                    sticky: u32::MAX / 2,
                },
                Goal::Caller => Destination::Caller,
                Goal::Interrupted => Destination::Interrupted,
            };
            Site { address: instructions[ordinal as usize].address, ordinal, shape, destination }
        })
        .collect();
    let functions: Vec<Position> = functions.iter().copied().map(position).collect();
    let entry = functions[0];
    Program { instructions, sites, tables, handlers, functions, entry }
}

/// Spreads the functions over the code span in a random order.
fn lay_out(options: &Options, dice: &mut Dice, lengths: &[u8], starts: &[u32]) -> Vec<Instruction> {
    let unit = 1u64 << options.machine.alignment;
    let mut functions: Vec<Range<usize>> = Vec::with_capacity(starts.len());
    for (index, &start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).map_or(lengths.len(), |&next| next as usize);
        functions.push(start as usize..end);
    }
    dice.shuffle(&mut functions);

    let code: u64 = lengths.iter().map(|&length| u64::from(length)).sum();
    let span = options.code_span.max(code);
    let top = (u64::MAX >> (64 - options.machine.address_bits)) - TOP_MARGIN;
    let base = options.code_base.min(top.saturating_sub(span) / unit * unit);
    // Gaps of twice the mean as long as there is room for them.
    let mut room = span - code;
    let gap_limit = 2 * room / starts.len() as u64;

    let mut instructions = vec![Instruction { address: 0, length: 0 }; lengths.len()];
    let mut address = base;
    for range in functions {
        let gap = dice.below_wide(gap_limit + 1).min(room) / unit * unit;
        room -= gap;
        address += gap;
        for ordinal in range {
            instructions[ordinal] = Instruction { address, length: lengths[ordinal] };
            address += u64::from(lengths[ordinal]);
        }
    }
    instructions
}
