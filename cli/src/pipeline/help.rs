//! Help that wraps cleanly at any width: paragraphs are one line each before they are wrapped.

use clap::Command;

/// The command, in whose texts below the options each paragraph is one line.
pub fn reflowed(command: Command) -> Command {
    let after = command.get_after_help().map(|text| paragraphs(&text.to_string()));
    let command = match after {
        Some(text) => command.after_help(text),
        None => command,
    };
    let below: Vec<String> =
        command.get_subcommands().map(|one| one.get_name().to_owned()).collect();
    below.into_iter().fold(command, |command, name| command.mut_subcommand(name, reflowed))
}

/// Joins the lines of each paragraph. Lines that begin with blanks, such as examples, stay, and so do headings of them.
fn paragraphs(text: &str) -> String {
    let mut joined: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in text.lines() {
        let is_text = !line.is_empty() && !line.starts_with(' ');
        match joined.last_mut().filter(|_| goes_on && is_text) {
            Some(last) => *last += &format!(" {line}"),
            None => joined.push(line.to_owned()),
        }
        goes_on = is_text && !line.ends_with(':');
    }
    joined.join("\n")
}
