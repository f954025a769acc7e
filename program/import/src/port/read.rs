//! Reads the rows of a log.

use std::io::Read;
use std::sync::Arc;

use tracewright_image::{Image, InstructionSet};

use super::check::Check;
use super::report::Report;
use super::row::{Port, Row, TakeRows};
use crate::error::{Error, Place, Problem};
use crate::flow::DataAccess;
use crate::format::{Format, check_kind};
use crate::guess;
use crate::import::{Options, read_rows};
use crate::lines::read_ahead;

/// A report on the port of a log.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The format of the log.
    pub format: Format,
    /// The hart whose rows were looked at.
    pub hart: u32,
    /// Rows of other harts.
    pub other_harts: u64,
    /// The line at whose end a waveform is cut.
    pub cut_line: Option<u64>,
    /// What was found.
    pub report: Report,
}

impl Checked {
    /// What the places of evidence are: lines of a table, or times of a waveform.
    pub fn places(&self) -> &'static str {
        if self.format.is_waveform() { "time" } else { "line" }
    }
}

/// Gives the rows of one hart to a check.
struct Checker {
    set: InstructionSet,
    image: Option<Arc<Image>>,
    check: Option<Check>,
    hart: Option<u32>,
    rows: u64,
    other_harts: u64,
    cut_line: Option<u64>,
}

/// Finds the conventions of the port that a log is of; `name` is what errors call it.
///
/// # Errors
/// The log cannot be read, is of no port, or a row is not what its format has.
pub fn check_log(
    log: Box<dyn Read + Send>,
    name: &str,
    options: &Options,
) -> Result<Checked, Error> {
    let fail = |problem| Error::new(name, Place::File, problem);
    let (head, source) = read_ahead(log).map_err(fail)?;
    let format = match options.format {
        Some(format) => check_kind(&head).map(|()| format),
        None => Format::detect(&head),
    };
    let format = format.map_err(fail)?;
    if !format.is_port() {
        return Err(fail(Problem::NoPort(format)));
    }
    if !format.is_waveform() && options.core.is_some() {
        return Err(fail(Problem::NoWaveform(format)));
    }
    let set = guess::instruction_set(format, options, &head).map_err(fail)?;
    let set = set.ok_or_else(|| fail(Problem::NoMachine))?;
    if set.isa() != tracewright_sim::event::Isa::RiscV {
        return Err(fail(Problem::OtherProcessor { format, found: set }));
    }
    let image = options.program.clone();
    let (hart, rows, other_harts, cut_line) = (options.hart, 0, 0, None);
    let mut checker = Checker { set, image, check: None, hart, rows, other_harts, cut_line };
    let names = (options.core.as_ref(), options.hierarchy.as_ref());
    read_rows(format, source, names, &mut checker).map_err(|(line, problem)| match line {
        0 => fail(problem),
        line => Error::new(name, Place::Line(line), problem),
    })?;
    let Checker { check, hart, rows, other_harts, cut_line, .. } = checker;
    let Some(check) = check.filter(|_| rows > 0) else {
        return Err(fail(match (hart, other_harts) {
            (Some(wanted), 1..) => {
                Problem::NoHart { wanted, found: "rows of other harts only".to_owned() }
            }
            _ if format.is_waveform() => Problem::NoRetirement,
            _ => Problem::NothingOfFormat(format),
        }));
    };
    let hart = hart.unwrap_or(0);
    Ok(Checked { format, hart, other_harts, cut_line, report: check.finish() })
}

impl TakeRows for Checker {
    fn port(&mut self, port: &Port) -> Result<(), Problem> {
        self.check = Some(Check::new(*port, self.set, self.image.take()));
        Ok(())
    }

    fn row(&mut self, row: &Row, _accesses: &[DataAccess]) -> Result<(), Problem> {
        if *self.hart.get_or_insert(row.hart) != row.hart {
            self.other_harts += 1;
            return Ok(());
        }
        self.rows += 1;
        if let Some(check) = &mut self.check {
            check.row(row);
        }
        Ok(())
    }

    fn idle(&mut self, stalled: bool) {
        if let Some(check) = &mut self.check {
            check.idle(stalled);
        }
    }

    fn unknown(&mut self, _problem: Problem) -> Result<(), Problem> {
        Ok(())
    }

    fn cut(&mut self, line: u64) {
        self.cut_line = Some(line);
    }
}
