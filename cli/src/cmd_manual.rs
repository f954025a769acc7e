//! `tracewright manual`: manual pages and completions, from the same description of the command as its help.

use std::io::Write;

use anyhow::{Context, Result};
use clap::builder::Resettable;
use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::pipeline::paths::OutputFolder;
use crate::pipeline::print;

/// Write the manual pages, or print the completions of a shell
#[derive(Args)]
#[command(after_help = "\
`make install` installs both.

Examples:
  tracewright manual -o ~/.local/share/man/man1
  tracewright manual --completions bash > ~/.local/share/bash-completion/completions/tracewright")]
#[group(required = true, multiple = false)]
pub struct Arguments {
    /// Write a page for every command into this folder
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<OutputFolder>,
    /// Print the completions of this shell
    #[arg(long, value_name = "SHELL")]
    completions: Option<Shell>,
}

/// Runs the command; `command` describes all commands.
///
/// # Errors
/// When the pages or the completions cannot be written.
pub fn run(arguments: &Arguments, mut command: Command) -> Result<()> {
    if let Some(shell) = arguments.completions {
        let mut text = Vec::new();
        let name = command.get_name().to_owned();
        clap_complete::generate(shell, &mut command, name, &mut text);
        return print::text(String::from_utf8_lossy(&text));
    }
    match &arguments.output {
        Some(folder) => {
            folder.make()?;
            let mut command = command.disable_help_subcommand(true);
            command.build();
            pages(&command, folder)
        }
        None => Ok(()),
    }
}

/// Writes the page of a command and those of the commands below it.
fn pages(command: &Command, folder: &OutputFolder) -> Result<()> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        pages(below, folder)?;
    }
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let page = Man::new(command.clone().after_help(Resettable::Reset));
    let name = page.get_filename();
    let mut text = Vec::new();
    page.render(&mut text)?;
    sections(&after, command.get_name() == "tracewright").to_writer(&mut text)?;
    let mut file = folder.file(&name)?.create()?;
    file.write_all(&text)?;
    file.commit().with_context(|| format!("cannot write to {}", folder.display()))
}

/// What the help says below the options, under the headings that manual pages have for it.
fn sections(after: &str, is_whole: bool) -> Roff {
    let mut page = Roff::new();
    let (notes, examples) = match after.split_once("Examples:\n") {
        Some((notes, examples)) => (notes, examples),
        None => after.split_once("Example:\n").unwrap_or((after, "")),
    };
    let (heading, notes) = match notes.split_once("Exit status: ") {
        Some((_, status)) => ("EXIT STATUS", status),
        None => ("NOTES", notes),
    };
    if !notes.trim().is_empty() {
        page.control("SH", [heading]);
        for paragraph in notes.trim().split("\n\n") {
            page.control("PP", []).text([roman(paragraph)]);
        }
    }
    if !examples.is_empty() {
        page.control("SH", ["EXAMPLES"]).control("nf", []);
        for example in examples.lines() {
            page.text([roman(example.trim_start())]);
        }
        page.control("fi", []);
    }
    if !is_whole {
        page.control("SH", ["SEE ALSO"]);
        page.text([roman("tracewright(1), which has the exit status of all commands")]);
    }
    page
}
