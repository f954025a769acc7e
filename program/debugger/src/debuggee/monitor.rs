//! The commands of `monitor`.

use std::fmt::Write as _;

use tracewright_view::names::spoken;

use super::{Debuggee, identifier};
use crate::error::Error;
use crate::recording::Breakpoints;

const HELP: &str = "\
monitor where            the instruction at hand, by its number over all threads
monitor events           how much is recorded, and what is missing
monitor callers          the open calls as the trace has them
monitor goto NUMBER      go to an instruction by its number; begin and end are numbers too
monitor first FUNCTION   go to the first call of a function
monitor last FUNCTION    go to the last one
After goto, first and last: maintenance flush register-cache, maintenance flush dcache
";

impl Debuggee<'_> {
    /// Carries out a command; gives what is printed.
    pub(super) fn monitor(&mut self, command: &str) -> Result<String, Error> {
        let (word, rest) = command.trim().split_once(' ').unwrap_or((command.trim(), ""));
        let rest = rest.trim();
        match (word, rest.is_empty()) {
            ("where", true) => Ok(self.say_where()),
            ("events", true) => Ok(self.say_events()),
            ("callers", true) => Ok(self.say_callers()),
            ("goto", false) => self.say_goto(rest),
            ("first", false) => self.say_call(rest, true),
            ("last", false) => self.say_call(rest, false),
            _ => Ok(HELP.into()),
        }
    }

    fn say_where(&self) -> String {
        let number = self.player.here().number;
        let (position, total) = (self.player.position(), self.player.recording().instructions());
        let place = match self.player.program_counter(number) {
            Some(address) => {
                let image = &self.program_of(number).of.image;
                format!(
                    "{:#x} <{}>",
                    image.instruction_set().byte_address(address),
                    spoken(image, address)
                )
            }
            None => "an address that is not known".into(),
        };
        let thread = match self.player.recording().stacks().get(number).and_then(|it| it.context) {
            Some(context) => format!("context {context:#x}"),
            None => format!("thread {}", identifier(number)),
        };
        format!("instruction {position} of {total}, {thread}, at {place}\n")
    }

    fn say_events(&self) -> String {
        let recording = self.player.recording();
        let mut text = format!(
            "{} events, {} instructions, {} threads, kept in {} bytes; event {} is next\n",
            recording.events(),
            recording.instructions(),
            recording.stacks().len(),
            recording.size(),
            self.player.event()
        );
        for gap in recording.gaps() {
            let _ = writeln!(text, "gap before instruction {}: {}", gap.at, gap.says);
        }
        text
    }

    fn say_callers(&mut self) -> String {
        let number = self.player.here().number;
        let calls = self.player.open_calls(number);
        let image = &self.program_of(number).of.image;
        let names = self.player.recording().names();
        let mut text = String::new();
        for call in calls {
            let name = &names.get(call.function).name;
            let _ = match (call.back, call.is_handler) {
                (0, _) => writeln!(text, "{name}"),
                (back, false) => {
                    writeln!(text, "{name}, back to {back:#x} <{}>", spoken(image, back))
                }
                (back, true) => {
                    writeln!(text, "{name}, which interrupted {back:#x} <{}>", spoken(image, back))
                }
            };
        }
        text
    }

    fn say_goto(&mut self, place: &str) -> Result<String, Error> {
        let position = match place {
            "begin" => 0,
            "end" => u64::MAX,
            number => match number.replace([',', '_'], "").parse() {
                Ok(position) => position,
                Err(_) => {
                    return Ok(format!("expected the number of an instruction, found {place:?}\n"));
                }
            },
        };
        self.go_to(position)?;
        self.reported = self.player.here().number;
        Ok(self.say_where())
    }

    fn say_call(&mut self, name: &str, is_first: bool) -> Result<String, Error> {
        let mut at = Breakpoints::default();
        let mut is_known = false;
        for (number, program) in self.programs.iter().enumerate() {
            let image = &program.of.image;
            let functions = image.functions().filter(|function| {
                function.name == name
                    || tracewright_view::mangling::demangled(&function.name) == name
            });
            functions.for_each(|function| {
                is_known = true;
                at.add_in(number, function.address);
            });
        }
        if !is_known {
            return Ok(format!("no function is named {name}\n"));
        }
        let found = match is_first {
            true => self.player.find(0, &mut at)?,
            false => self.player.find_back(u64::MAX, &mut at)?,
        };
        match found {
            Some(found) => {
                self.go_to(found.position)?;
                self.reported = found.number;
                Ok(self.say_where())
            }
            None => Ok(format!("{name} was not called\n")),
        }
    }
}
