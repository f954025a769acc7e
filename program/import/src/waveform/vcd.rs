//! Waveforms in the form of Verilog's value change dump (VCD; IEEE 1364-2005, section 18).

use std::io::BufRead;

use super::header::Header;
use super::lanes::Lanes;
use super::names::Core;
use super::signals::{Signals, State};
use super::step;
use super::tokens::Tokens;
use crate::error::Problem;
use crate::port::row::TakeRows;

/// A problem, and the line where it is; 0 for the file as a whole.
type AtLine = (u64, Problem);

/// True for the beginning of such a file.
pub(crate) fn is_vcd(head: &[u8]) -> bool {
    let first = head.trim_ascii_start();
    let sections: [&[u8]; 6] =
        [b"$date", b"$version", b"$timescale", b"$comment", b"$scope", b"$var"];
    sections.iter().any(|section| first.starts_with(section))
}

/// Reads a waveform to its end.
pub(crate) fn read(
    source: impl BufRead,
    core: &Core,
    sink: &mut dyn TakeRows,
) -> Result<(), AtLine> {
    let mut tokens = Tokens::new(source);
    let header = Header::read(&mut tokens).map_err(|problem| (tokens.line(), problem))?;
    let mut signals = Signals::default();
    let mut lanes = Lanes::new(core, &header, &mut signals).map_err(|problem| (0, problem))?;
    drop(header);
    sink.port(&lanes.port(core)).map_err(|problem| (0, problem))?;
    let read = changes(&mut tokens, &mut signals, &mut lanes, sink);
    read.map_err(|problem| (tokens.line(), problem))
}

/// Reads the changes of signals, which are the rest of the file. It may be cut where a simulation was ended from outside;
/// then what the last whole line says is the end.
fn changes(
    tokens: &mut Tokens<impl BufRead>,
    signals: &mut Signals,
    lanes: &mut Lanes,
    sink: &mut dyn TakeRows,
) -> Result<(), Problem> {
    let mut time = 0;
    while tokens.next_token()? {
        let token = tokens.token();
        let (first, rest) = token.split_first().unwrap_or((&b' ', token));
        let is_whole = match first {
            b'#' if !rest.is_empty() && rest.iter().all(u8::is_ascii_digit) => {
                let next = crate::words::decimal(rest).unwrap_or(time);
                // The last one may be cut.
                if next < time && !tokens.is_last() {
                    return Err(Problem::expected("a time that is not before the last one", token));
                }
                step(signals, lanes, std::mem::replace(&mut time, next), sink)?;
                true
            }
            b'$' if rest == b"comment" => {
                tokens.skip_section()?;
                true
            }
            b'$' if is_dump(rest) => true,
            _ => !tokens.is_last() && change(tokens, signals)?,
        };
        if !is_whole {
            sink.cut(tokens.line());
            break;
        }
    }
    // Signals are sampled before the changes of a time, which may be incomplete for the last one.
    step(signals, lanes, time, sink)
}

/// Reads a change of a signal whose first word has been read; false if the file ends in the middle of it.
fn change(tokens: &mut Tokens<impl BufRead>, signals: &mut Signals) -> Result<bool, Problem> {
    let token = tokens.token();
    let (first, rest) = token.split_first().unwrap_or((&b' ', token));
    let is_number = matches!(first, b'b' | b'B');
    // Real numbers and texts are no signals of a core.
    if is_number || matches!(first, b'r' | b'R' | b's' | b'S') {
        // A signal without bits has no signs.
        let has_bits = is_number && !rest.is_empty();
        if has_bits {
            signals.keep_bits(rest)?;
        }
        let is_whole = tokens.next_token()? && !tokens.is_last();
        if has_bits && is_whole {
            signals.change_to_bits(tokens.token())?;
        } else if is_number && !has_bits && is_whole && signals.is_kept(tokens.token()) {
            return Err(Problem::expected("bits after b", b""));
        }
        return Ok(is_whole);
    }
    match State::of(*first).filter(|_| !rest.is_empty()) {
        Some(state) => signals.change_to(rest, state),
        None => return Err(Problem::expected("a time or a change of a signal", token)),
    }
    Ok(true)
}

/// True for what begins or ends a list of changes.
fn is_dump(word: &[u8]) -> bool {
    matches!(word, b"dumpvars" | b"dumpall" | b"dumpon" | b"dumpoff" | b"dumpports" | b"end")
}
