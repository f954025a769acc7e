//! Questions that `view` answers: when a place ran, how long it takes from one to another, what led to a moment.

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tracewright_image::Image;
use tracewright_sim::code::Code;
use tracewright_sim::event::Kind;
use tracewright_view::OfContext;
use tracewright_view::lines::Lines;
use tracewright_view::names::{self, Names};
use tracewright_view::questions::{Answers, Asked, At, Jump, Moment, Moments, Place, Span};

use super::files::Last;
use crate::pipeline::count;
use crate::pipeline::failure::usage;
use crate::pipeline::print::grouped;

/// The questions. A place is `FUNCTION`, `FUNCTION+0x1c`, `0x101e8` or `FILE:LINE`.
#[derive(Args)]
#[command(
    next_help_heading = "Questions; a PLACE is FUNCTION, FUNCTION+0x1c, 0x101e8 or FILE:LINE"
)]
pub struct Questions {
    /// Show the first time that a place ran, and the calls that were open (the last time: --last PLACE)
    #[arg(long, value_name = "PLACE")]
    first: Option<String>,
    /// Show how often a place ran, when, and what had called it
    #[arg(long, value_name = "PLACE")]
    when: Option<String>,
    /// Show how many instructions of a thread are from one place to the next time at another
    #[arg(long, num_args = 2, value_names = ["PLACE", "PLACE"])]
    between: Option<Vec<String>>,
    /// Show the calls that were open at an instruction, by its number, and the branches taken before it
    #[arg(long, value_name = "INSTRUCTION|event=EVENT", value_parser = moment)]
    path_to: Option<At>,
}

/// A moment by its number.
fn moment(text: &str) -> Result<At, String> {
    match text.strip_prefix("event=") {
        Some(event) => count::parse(event).map(At::Event),
        None => count::parse(text).map(At::Instruction),
    }
}

/// An answer, as --json prints it.
#[derive(Serialize)]
#[serde(tag = "question", rename_all = "kebab-case")]
pub enum Answer {
    /// The first time that a place ran.
    First(OfPlace),
    /// The last time.
    Last(OfPlace),
    /// All times.
    When(OfPlace),
    /// From one place to another.
    Between {
        /// The place where a span begins.
        from: String,
        /// The place where it ends.
        to: String,
        /// The number of spans.
        count: u64,
        /// The shortest, the middle one, the longest, and all of them: instructions.
        shortest: u64,
        median: u64,
        longest: u64,
        instructions: u64,
        /// The longest ones.
        spans: Vec<ShownSpan>,
    },
    /// What led to a moment.
    PathTo {
        moment: ShownMoment,
        /// Taken branches before it, the last one last.
        branches: Vec<ShownJump>,
    },
}

/// When a place ran.
#[derive(Serialize)]
pub struct OfPlace {
    /// What was asked for.
    pub place: String,
    /// How often it ran.
    pub count: u64,
    /// The moments that are shown.
    pub moments: Vec<ShownMoment>,
}

/// A span, as it is shown.
#[derive(Serialize)]
pub struct ShownSpan {
    pub instructions: u64,
    pub from: u64,
    pub to: u64,
    #[serde(flatten)]
    pub thread: OfThread,
}

/// A thread, or a context if the trace has contexts.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OfThread {
    Thread(usize),
    Context(u64),
}

/// An instruction, as it is shown.
#[derive(Serialize)]
pub struct ShownMoment {
    pub instruction: u64,
    pub event: u64,
    #[serde(flatten)]
    pub thread: OfThread,
    pub address: u64,
    /// The open calls, from the innermost on, each with the instruction at which it is.
    pub calls: Vec<ShownCall>,
    /// Open calls further out.
    pub more_calls: usize,
}

/// A call that is open, as it is shown.
#[derive(Serialize)]
pub struct ShownCall {
    pub function: String,
    /// Where it is: at its call of the one before in the list.
    pub at: Option<String>,
    pub line: Option<String>,
}

/// A taken branch, as it is shown.
#[derive(Serialize)]
pub struct ShownJump {
    pub instruction: u64,
    pub from: String,
    pub to: String,
    pub kind: String,
    pub line: Option<String>,
}

/// What is asked of the views, and how the answers are shown.
pub struct Plan<'a> {
    questions: &'a Questions,
    last: Option<&'a str>,
    asked: Asked,
}

impl Questions {
    /// Finds the places; `None` if nothing is asked.
    ///
    /// # Errors
    /// When the program does not have one of them.
    pub fn plan<'a>(
        &'a self,
        last: Option<&'a Last>,
        programs: &[OfContext],
        most: usize,
    ) -> Result<Option<Plan<'a>>> {
        let last = last.and_then(Last::place);
        let place = |option: &str, text: &str| {
            Place::find(programs, text).map_err(|error| usage(format_args!("{option}: {error}")))
        };
        let mut asked = Asked { at: self.path_to, most, ..Asked::default() };
        let one = |option, text: Option<&str>| text.map(|text| place(option, text)).transpose();
        asked.places.extend(one("--first", self.first.as_deref())?);
        asked.places.extend(one("--last", last)?);
        asked.places.extend(one("--when", self.when.as_deref())?);
        if let Some(pair) = &self.between {
            let from = asked.places.len();
            for text in pair {
                asked.places.push(place("--between", text)?);
            }
            asked.spans.push((from, from + 1));
        }
        let is_empty = asked.places.is_empty() && asked.at.is_none();
        Ok((!is_empty).then_some(Plan { questions: self, last, asked }))
    }
}

impl Plan<'_> {
    /// What the views are asked.
    pub fn asked(&self) -> Asked {
        self.asked.clone()
    }

    /// The answers in the order of the options.
    ///
    /// # Errors
    /// When the execution ends before the instruction that is asked for.
    pub fn answers(
        self,
        answers: Answers,
        names: &Names,
        programs: &[OfContext],
    ) -> Result<Vec<Answer>> {
        let lines = programs.iter().map(|program| Lines::of_image(&program.image)).collect();
        let mut shower = Shower { names, programs, lines, contexts: answers.contexts };
        let mut places =
            self.asked.places.iter().map(|place| place.text.clone()).zip(answers.places);
        let mut shown = Vec::new();
        if self.questions.first.is_some() {
            shown.extend(places.next().map(|(text, Moments { count, first, .. })| {
                Answer::First(shower.place(text, count, first.first()))
            }));
        }
        if self.last.is_some() {
            shown.extend(places.next().map(|(text, Moments { count, last, .. })| {
                Answer::Last(shower.place(text, count, last.as_ref()))
            }));
        }
        if self.questions.when.is_some() {
            shown.extend(places.next().map(|(text, Moments { count, first, .. })| {
                Answer::When(shower.place(text, count, &first))
            }));
        }
        for spans in answers.spans {
            let mut text = || places.next().map_or(String::new(), |(text, _)| text);
            shown.push(shower.between(text(), text(), spans, self.asked.most));
        }
        match (self.asked.at, answers.at) {
            (Some(_), Some((moment, jumps))) => {
                let branches = jumps.iter().map(|jump| shower.jump(jump)).collect();
                shown.push(Answer::PathTo { moment: shower.moment(&moment), branches });
            }
            (Some(at), None) => {
                let (what, number) = match at {
                    At::Instruction(number) => ("instruction", number),
                    At::Event(number) => ("event", number),
                };
                return Err(usage(format_args!(
                    "--path-to: the execution has no {what} {}; they are counted from 0",
                    grouped(number)
                )));
            }
            _ => {}
        }
        Ok(shown)
    }
}

/// What a taken branch does.
pub fn kind_of(image: &Image, address: u64, kind: Kind) -> String {
    let branch = image.instruction(address).and_then(|instruction| instruction.branch);
    let branch = branch.filter(|branch| branch.kind == kind);
    let what = match (kind, branch) {
        (Kind::Exception, Some(_)) => "system call",
        (Kind::Exception, None) => "exception",
        (_, Some(branch)) if branch.is_return => "return",
        (_, Some(branch)) if branch.call && kind.is_indirect() => "indirect call",
        (_, Some(branch)) if branch.call => "call",
        (Kind::DirectConditional | Kind::IndirectConditional, _) => "conditional",
        (Kind::IndirectJump, _) => "indirect jump",
        (Kind::DirectJump, _) => "jump",
    };
    what.to_owned()
}

/// What moments are shown by.
struct Shower<'a> {
    names: &'a Names,
    programs: &'a [OfContext],
    lines: Vec<Lines>,
    contexts: Vec<u64>,
}

impl Shower<'_> {
    fn thread(&self, number: usize) -> OfThread {
        match self.contexts.get(number) {
            Some(context) => OfThread::Context(*context),
            None => OfThread::Thread(number),
        }
    }

    fn place<'m>(
        &mut self,
        place: String,
        count: u64,
        moments: impl IntoIterator<Item = &'m Moment>,
    ) -> OfPlace {
        let moments = moments.into_iter().map(|moment| self.moment(moment)).collect();
        OfPlace { place, count, moments }
    }

    fn between(&self, from: String, to: String, mut spans: Vec<Span>, most: usize) -> Answer {
        spans.sort_by_key(|span| (span.instructions, span.from));
        let of = |span: Option<&Span>| span.map_or(0, |span| span.instructions);
        let longest = spans.iter().rev().take(most).map(|span| ShownSpan {
            instructions: span.instructions,
            from: span.from,
            to: span.to,
            thread: self.thread(span.thread),
        });
        Answer::Between {
            from,
            to,
            count: spans.len() as u64,
            shortest: of(spans.first()),
            median: of(spans.get(spans.len() / 2)),
            longest: of(spans.last()),
            instructions: spans.iter().map(|span| span.instructions).sum(),
            spans: longest.collect(),
        }
    }

    fn moment(&mut self, moment: &Moment) -> ShownMoment {
        let mut calls = Vec::new();
        // Where a function is: the innermost one at the instruction, others at the call of the one within.
        let mut at = Some(moment.address);
        for call in moment.calls.iter().rev() {
            let function = self.names.get(call.function);
            let (name, program) = (function.name.clone(), function.program);
            if calls.is_empty() {
                let inlined = moment.inlined.iter().rev();
                calls.extend(inlined.map(|index| ShownCall {
                    function: self.names.get(*index).name.clone(),
                    at: None,
                    line: None,
                }));
            }
            calls.push(ShownCall {
                function: name,
                at: at.map(|address| names::spoken(&self.programs[program].image, address)),
                line: at.and_then(|address| self.line(program, address)),
            });
            at = call.site;
        }
        ShownMoment {
            instruction: moment.instruction,
            event: moment.event,
            thread: self.thread(moment.thread),
            address: self.byte_address(moment.program, moment.address),
            calls,
            more_calls: moment.left_out,
        }
    }

    fn jump(&mut self, jump: &Jump) -> ShownJump {
        let Jump { instruction, address, target, kind, program } = *jump;
        let image = &self.programs[program].image;
        ShownJump {
            instruction,
            from: names::spoken(image, address),
            to: names::spoken(image, target),
            kind: kind_of(image, address, kind),
            line: self.line(program, address),
        }
    }

    fn byte_address(&self, program: usize, address: u64) -> u64 {
        self.programs[program].image.instruction_set().byte_address(address)
    }

    fn line(&mut self, program: usize, address: u64) -> Option<String> {
        let address = self.byte_address(program, address);
        self.lines[program].spoken(address).map(|line| line.to_string())
    }
}
