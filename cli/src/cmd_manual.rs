//! `tracewright manual`: manual pages and completions, from the same description of the command as its help.

use anyhow::{Context, Result};
use clap::{Args, Command};
use clap_complete::Shell;

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
            clap_mangen::generate_to(command, folder)
                .with_context(|| format!("cannot write to {}", folder.display()))
        }
        None => Ok(()),
    }
}
