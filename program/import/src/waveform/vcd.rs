//! Waveforms in the form of Verilog's value change dump (VCD; IEEE 1364-2005, section 18).

use std::io::BufRead;

use super::header::Header;
use super::lanes::Lanes;
use super::names::Core;
use super::signals::{Signals, State};
use super::step;
use super::tokens::Tokens;
use crate::error::Problem;
use crate::follower::Follower;

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
    follower: &mut Follower<'_>,
) -> Result<(), AtLine> {
    let mut tokens = Tokens::new(source);
    let header = Header::read(&mut tokens).map_err(|problem| (tokens.line(), problem))?;
    let mut signals = Signals::default();
    let mut lanes = Lanes::new(core, &header, &mut signals).map_err(|problem| (0, problem))?;
    drop(header);
    let read = changes(&mut tokens, &mut signals, &mut lanes, follower);
    read.map_err(|problem| (tokens.line(), problem))
}

/// Reads the changes of signals, which are the rest of the file.
fn changes(
    tokens: &mut Tokens<impl BufRead>,
    signals: &mut Signals,
    lanes: &mut Lanes,
    follower: &mut Follower<'_>,
) -> Result<(), Problem> {
    while tokens.next_token()? {
        let token = tokens.token();
        let (first, rest) = token.split_first().unwrap_or((&b' ', token));
        match first {
            b'#' if !rest.is_empty() && rest.iter().all(u8::is_ascii_digit) => {
                step(signals, lanes, follower)?;
            }
            b'b' | b'B' => {
                signals.keep_bits(rest)?;
                tokens.require("the identifier of a signal")?;
                signals.change_to_bits(tokens.token());
            }
            // Real numbers and texts are no signals of a core.
            b'r' | b'R' | b's' | b'S' => tokens.require("the identifier of a signal")?,
            b'$' if rest == b"comment" => tokens.skip_section()?,
            b'$' if is_dump(rest) => {}
            _ => match State::of(*first).filter(|_| !rest.is_empty()) {
                Some(state) => signals.change_to(rest, state),
                None => return Err(Problem::expected("a time or a change of a signal", token)),
            },
        }
    }
    step(signals, lanes, follower)
}

/// True for what begins or ends a list of changes.
fn is_dump(word: &[u8]) -> bool {
    matches!(word, b"dumpvars" | b"dumpall" | b"dumpon" | b"dumpoff" | b"dumpports" | b"end")
}
