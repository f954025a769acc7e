//! Designs given as arguments: a preset's name or a TOML file, and `--set`.

use std::path::Path;

use anyhow::Result;
use clap::Args;
use serde_json::{Map, Value};
use tracewright_sim::event::Machine;
use tracewright_sim::preset;
use tracewright_sim::scheme::Design;

use super::design_file;
use super::failure::usage;

/// Changes to the parameters of a design.
#[derive(Args, Clone, Debug, Default)]
pub struct Changes {
    /// Set a parameter of the design, or with KEY `name` its name, which its Verilog modules have too; can be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

impl Changes {
    /// The keys and their values, each key once.
    ///
    /// # Errors
    /// When a change has no `=`, or a key has two values.
    pub fn pairs(&self) -> Result<Vec<(&str, &str)>> {
        let mut pairs: Vec<(&str, &str)> = Vec::with_capacity(self.set.len());
        for change in &self.set {
            let (key, value) = change.split_once('=').ok_or_else(|| {
                usage(format_args!("--set {change}: expected KEY=VALUE, found no `=`"))
            })?;
            let (key, value) = (key.trim(), value.trim());
            match pairs.iter().find(|(other, _)| *other == key) {
                None => pairs.push((key, value)),
                Some((_, other)) if *other == value => {}
                Some((_, other)) => {
                    return Err(usage(format_args!(
                        "--set {key}={other} and --set {key}={value}: expected one value"
                    )));
                }
            }
        }
        Ok(pairs)
    }
}

/// Loads the design that an argument names, and applies the changes.
///
/// # Errors
/// When there is no such design, its file cannot be read, or a parameter is wrong.
pub fn load(argument: &str, changes: &Changes) -> Result<Design> {
    let mut design = if argument.ends_with(".toml") {
        design_file::load(Path::new(argument))?
    } else {
        Design::preset(argument).map_err(usage)?
    };
    for (key, value) in changes.pairs()? {
        let set = match key {
            "name" => design.clone().renamed(value).map(|renamed| design = renamed),
            _ => design.set(key, value),
        };
        set.map_err(|error| usage(format_args!("--set {key}={value}: {error}")))?;
    }
    design.validate().map_err(|error| usage(format_args!("{argument}: {error}")))?;
    Ok(design)
}

/// Loads the designs that a list of arguments names; `NAME*` is every preset whose name begins with NAME.
///
/// # Errors
/// Those of [`load`], and when no preset's name begins with NAME.
pub fn load_all(arguments: &[String], changes: &Changes) -> Result<Vec<Design>> {
    let mut designs = Vec::with_capacity(arguments.len());
    for argument in arguments {
        let Some(beginning) = argument.strip_suffix('*') else {
            designs.push(load(argument, changes)?);
            continue;
        };
        let before = designs.len();
        for preset in preset::all().filter(|preset| preset.name.starts_with(beginning)) {
            designs.push(load(preset.name, changes)?);
        }
        if designs.len() == before {
            return Err(usage(format_args!(
                "no preset matches `{argument}`; `tracewright designs` lists the presets"
            )));
        }
    }
    if let [first, second, ..] = designs.as_slice()
        && first.name == second.name
        && changes.pairs()?.iter().any(|(key, _)| *key == "name")
    {
        return Err(usage("--set name: expected one design, found several"));
    }
    Ok(designs)
}

/// Adapts the design to the machine of a trace.
///
/// # Errors
/// When a parameter was set for another machine.
pub fn for_machine(design: &Design, machine: Machine) -> Result<Design> {
    design.for_machine(machine).map_err(|error| usage(format_args!("{}: {error}", design.name)))
}

/// The first difference between two designs, if any.
pub fn difference(one: &Design, other: &Design) -> Option<String> {
    if one.scheme.name() != other.scheme.name() {
        return Some(format!("the scheme is {}, not {}", one.scheme.name(), other.scheme.name()));
    }
    let pairs = one.values().into_iter().zip(other.values());
    let mut differing = pairs.filter(|((_, one), (_, other))| one != other);
    differing.next().map(|((name, one), (_, other))| format!("{name} is {one}, not {other}"))
}

/// The parameters that a file of the design states, and their values, for JSON.
///
/// # Errors
/// Never with the existing types of values.
pub fn parameters(design: &Design) -> Result<Map<String, Value>> {
    let value_of = |(name, value): (&str, _)| Ok((name.to_owned(), serde_json::to_value(value)?));
    design.stated_values().into_iter().map(value_of).collect()
}
