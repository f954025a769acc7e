//! The commands and their options, from the description that the command itself has.

use std::any::TypeId;

use clap::{Arg, Command};
use tracewright::{Input, OutputFile, OutputFolder};

/// Every command that does something: its words, and its arguments without those that all commands have.
pub fn commands() -> Vec<(String, Vec<Arg>)> {
    let mut found = Vec::new();
    let mut root = tracewright::command();
    root.build();
    collect(&root, "", &mut found);
    assert!(found.len() > 20, "{}", found.len());
    found
}

fn collect(command: &Command, words: &str, found: &mut Vec<(String, Vec<Arg>)>) {
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        let words = format!("{words} {}", below.get_name()).trim().to_owned();
        if below.get_subcommands().next().is_none() {
            let own = |argument: &&Arg| {
                !argument.is_global_set()
                    && !matches!(argument.get_id().as_str(), "help" | "version")
            };
            found.push((words, below.get_arguments().filter(own).cloned().collect()));
        } else {
            collect(below, &words, found);
        }
    }
}

/// What an argument's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// There is none.
    Flag,
    /// A file or folder that is read.
    Input,
    /// A file that is written.
    File,
    /// A folder that is written to.
    Folder,
    /// Anything else.
    Other,
}

pub fn value_of(argument: &Arg) -> Value {
    let kind = argument.get_value_parser().type_id();
    if !argument.get_action().takes_values() {
        Value::Flag
    } else if kind == TypeId::of::<Input>() {
        Value::Input
    } else if kind == TypeId::of::<OutputFile>() {
        Value::File
    } else if kind == TypeId::of::<OutputFolder>() {
        Value::Folder
    } else {
        Value::Other
    }
}
