//! What a capture says of itself.

use std::path::PathBuf;

use serde::Serialize;
use tracewright_capture::{Captured, Ending, LoadedImage, Target};
use tracewright_image::changes::Changes;

use crate::pipeline::image_list::argument;
use crate::pipeline::print::{self, counted, grouped, ratio};

/// The summary of a capture.
#[derive(Serialize)]
pub struct Report {
    pub trace: String,
    program: String,
    isa: String,
    events: u64,
    accesses: u64,
    instructions: u64,
    /// Instructions that ran before the trace begins.
    skipped: u64,
    threads: usize,
    /// Blocks and accesses of threads that are not in the trace.
    left_out: u64,
    /// Child processes that the program forked, which are not traced; 0 if the trace ends before the program.
    children: u64,
    signals: u64,
    /// Traps of a machine, interrupts among them.
    traps: u64,
    /// Contexts of a machine with one processor, else 0.
    contexts: u64,
    /// Unexplained jumps, which are exceptions in the trace.
    unexplained: u64,
    /// The size of the trace, 0 for standard output.
    bytes: u64,
    bits_per_instruction: f64,
    seconds: f64,
    mips: f64,
    /// The program's exit status, null if a signal ended it.
    exit_status: Option<i32>,
    /// The signal that ended the program, else null.
    signal: Option<i32>,
    /// True if the program is a machine, whose skipped instructions are counted by whole blocks.
    #[serde(skip)]
    is_machine: bool,
    /// True if the trace goes to the program's end.
    is_whole: bool,
    /// True if the program was ended at the limit.
    is_stopped: bool,
    /// Bits of the largest address of code; a design needs as many.
    address_bits: u32,
    images: Vec<LoadedImage>,
    /// Bytes of code that ran from no file.
    pub loose_code: u64,
    /// The file with the code that ran from no file, if there was any and --images was given.
    pub code: Option<PathBuf>,
    /// How often a thread found other code than before.
    code_changes: u64,
    /// The file with the changes of code, if there were any and --images was given.
    pub changes: Option<PathBuf>,
}

/// The trace that was written.
pub struct Written {
    pub trace: String,
    pub events: u64,
    pub accesses: u64,
    pub instructions: u64,
}

impl Report {
    /// The summary of a trace of `bytes` that was captured in `seconds`.
    pub fn new(
        target: &Target,
        captured: Captured,
        written: Written,
        bytes: u64,
        seconds: f64,
    ) -> Report {
        let Written { trace, events, accesses, instructions } = written;
        let (exit_status, signal) = match captured.ending {
            Ending::Exit(status) => (Some(status), None),
            Ending::Signal(signal) => (None, Some(signal)),
        };
        let changes = |changes: &Changes| -> u64 {
            changes.threads.iter().map(|thread| thread.len() as u64).sum()
        };
        let loose_code: usize = captured.loose_code.iter().map(|(_, code)| code.len()).sum();
        Report {
            trace,
            program: target.program.display().to_string(),
            isa: target.instruction_set.to_string(),
            events,
            accesses,
            instructions,
            skipped: captured.skipped,
            threads: captured.threads,
            left_out: captured.left_out,
            children: captured.children,
            signals: captured.signals,
            traps: captured.traps,
            contexts: captured.contexts,
            unexplained: captured.unexplained,
            bytes,
            bits_per_instruction: ratio(bytes * 8, instructions),
            seconds,
            mips: (instructions + captured.skipped) as f64 / seconds / 1e6,
            exit_status,
            signal,
            is_machine: target.is_machine,
            is_whole: captured.is_whole,
            is_stopped: captured.is_stopped,
            code_changes: changes(&captured.changes)
                + captured.context_code.iter().map(|of| changes(&of.changes)).sum::<u64>(),
            address_bits: captured.address_bits,
            images: captured.images,
            loose_code: loose_code as u64,
            code: None,
            changes: None,
        }
    }

    /// Sentences; `executed` says that the program executed another one, `threads` that up to eight are traced.
    pub fn text(&self, executed: bool, threads: bool) -> String {
        let report = self;
        let mut text = format!(
            "{}: {}, {}{}, {}\n{:.4} bits/instruction in the file, {:.2} s, {:.0} MIPS\n",
            report.trace,
            counted(report.events, "event"),
            print::accesses(report.accesses),
            counted(report.instructions, "instruction"),
            counted(report.threads as u64, "thread"),
            report.bits_per_instruction,
            report.seconds,
            report.mips
        );
        let ended = match (report.exit_status, report.signal) {
            (Some(status), _) => format!("exited with status {status}"),
            (None, signal) => format!("was ended by signal {}", signal.unwrap_or(0)),
        };
        let place = if report.is_stopped {
            " at the limit, by --stop"
        } else if executed {
            "; the trace ends where the program executed another one"
        } else if !report.is_whole {
            "; the trace ends before that"
        } else {
            ""
        };
        text += &format!("{} {ended}{place}\n", report.program);
        if report.skipped > 0 {
            let about = if report.is_machine { "about " } else { "" };
            let skipped = counted(report.skipped, "instruction");
            text += &format!("{about}{skipped} skipped before the trace\n");
            if report.instructions == 0 {
                text += "warning: the trace is empty, because the program ended before --skip; give a smaller number\n";
            }
        }
        text += &of_others(report, threads);
        if report.unexplained > 0 {
            text += &match report.unexplained {
                1 => "1 unexplained jump is traced as an exception\n".into(),
                count => format!("{} unexplained jumps are traced as exceptions\n", grouped(count)),
            };
        }
        for (index, image) in report.images.iter().enumerate() {
            let option = if index == 0 { "--program" } else { "--image" };
            text += &format!("{option} {}\n", print::quoted(&argument(image)));
        }
        text += &of_code(report);
        text
    }
}

/// What is not in the trace, and the traps of a machine.
fn of_others(report: &Report, threads: bool) -> String {
    let mut text = String::new();
    if report.left_out > 0 {
        text += match threads {
            true => "some threads are not in the trace, which has room for eight\n",
            false => "some threads are not in the trace; --threads traces up to eight\n",
        };
    }
    if report.traps > 0 {
        let traps = counted(report.traps, "trap");
        text += &match report.contexts {
            0 => format!("{traps}\n"),
            contexts => format!("{traps}, {}\n", counted(contexts, "context")),
        };
    }
    match report.children {
        0 => {}
        1 => {
            text += "a child process that the program forked is not in the trace; capture its command by itself\n"
        }
        children => {
            text += &format!(
                "{} child processes that the program forked are not in the trace; capture their commands by themselves\n",
                grouped(children)
            );
        }
    }
    text
}

/// What decoding needs besides the program's files.
fn of_code(report: &Report) -> String {
    let mut text = String::new();
    let kept = |file: &Option<PathBuf>| match file {
        Some(file) => format!("is in {}", file.display()),
        None => "is needed to decode; --images FILE keeps it".into(),
    };
    if report.loose_code > 0 {
        let bytes = counted(report.loose_code, "byte");
        text += &format!("code that ran from no file, {bytes}, {}\n", kept(&report.code));
    }
    if report.code_changes > 0 {
        let times = counted(report.code_changes, "time");
        text += &format!("code that changed while it ran, {times}, {}\n", kept(&report.changes));
    }
    if report.address_bits > 32 {
        let bits = report.address_bits;
        text += &format!(
            "addresses have {bits} bits: hardware needs --set address_width={bits} or more\n"
        );
    }
    text
}
