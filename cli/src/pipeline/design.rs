//! Designs given as arguments: a preset's name, a TOML file or a folder that `generate` wrote, and `--set`.

use std::path::Path;

use anyhow::{Result, anyhow};
use clap::Args;
use serde_json::{Map, Value};
use tracewright_packaging::WHOLE_UNIT;
use tracewright_sim::event::Machine;
use tracewright_sim::parameter::ParameterError;
use tracewright_sim::preset;
use tracewright_sim::scheme::{Design, DesignError};

use super::design_file;
use super::failure::usage;
use super::unit::Unit;

/// Changes to the parameters of a design.
#[derive(Args, Clone, Debug, Default)]
pub struct Changes {
    /// Change a parameter (`tracewright designs NAME` lists them); `name=X` renames the design and its Verilog modules.
    /// Repeatable
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
    load_unit(argument, changes).map(|unit| unit.design)
}

/// True if an argument names designs and no trace.
pub fn is_design(argument: &str) -> bool {
    [".toml", ".json", "*"].iter().any(|ending| argument.ends_with(ending))
        || preset::all().any(|preset| preset.name == argument)
        || Path::new(argument).is_dir()
}

/// True if an argument names a folder, and no preset.
pub fn is_folder(argument: &str) -> bool {
    Path::new(argument).is_dir() && Design::preset(argument).is_err()
}

/// What an argument names: a preset, a TOML file, a manifest, or a folder that `generate` wrote.
fn named(argument: &str) -> Result<Unit> {
    let path = Path::new(argument);
    if argument.ends_with(".toml") {
        return design_file::load(path);
    }
    if argument.ends_with(".json") {
        return design_file::load_manifest(path);
    }
    match Design::preset(argument) {
        Ok(design) => Ok(Unit::bare(design)),
        Err(_) if path.is_dir() => design_file::load_folder(path),
        Err(error) => Err(usage(error)),
    }
}

/// Loads the design that an argument names with what stands around it, and applies the changes.
///
/// # Errors
/// Those of [`load`].
pub fn load_unit(argument: &str, changes: &Changes) -> Result<Unit> {
    asked_unit(argument, changes, false)?.fitted()
}

/// The unit without what its sections set, for a command whose options ask for registers, if `has_control`.
fn asked_unit(argument: &str, changes: &Changes, has_control: bool) -> Result<Unit> {
    let Unit { mut design, sections, mut stated, file, .. } = named(argument)?;
    for (key, value) in changes.pairs()? {
        let set = match key {
            "name" => design.clone().renamed(value).map(|renamed| design = renamed),
            _ => design.set(key, value),
        };
        set.map_err(|error| match error {
            DesignError::Parameter(ParameterError::Unknown { .. }) => {
                usage(format_args!("--set {key}={value}: {argument}: {error}"))
            }
            error => usage(format_args!("--set {key}={value}: {error}")),
        })?;
        stated.insert(key.to_owned());
    }
    let unit = Unit { file, ..Unit::of(design, sections, stated) };
    // Registers set parameters that others need.
    let gets_registers = has_control || unit.sections.control.is_some();
    if !(gets_registers && unit.for_registers().is_ok()) {
        let refused = |error| usage(format_args!("{argument}: {error}"));
        unit.design.validate().map_err(refused)?;
    }
    Ok(unit)
}

/// The whole unit that `generated_verilog/` keeps.
///
/// # Errors
/// When it is no design.
pub fn whole_unit() -> Result<Unit> {
    design_file::of_text(WHOLE_UNIT.file, Path::new(WHOLE_UNIT.name))?.fitted()
}

/// Loads the designs that a list of arguments names; `NAME*` is every preset whose name begins with NAME.
///
/// # Errors
/// Those of [`load`], and when no preset's name begins with NAME.
pub fn load_all(arguments: &[String], changes: &Changes) -> Result<Vec<Design>> {
    Ok(load_units(arguments, changes)?.into_iter().map(|unit| unit.design).collect())
}

/// The designs of [`load_all`] with what stands around them.
///
/// # Errors
/// Those of [`load_all`].
pub fn load_units(arguments: &[String], changes: &Changes) -> Result<Vec<Unit>> {
    asked_units(arguments, changes, false)?.into_iter().map(Unit::fitted).collect()
}

/// The same without what sections set, for a command whose options prevail over them, and ask for registers if
/// `has_control`.
///
/// # Errors
/// Those of [`load_all`].
pub fn asked_units(
    arguments: &[String],
    changes: &Changes,
    has_control: bool,
) -> Result<Vec<Unit>> {
    let mut units = Vec::with_capacity(arguments.len());
    for argument in arguments {
        let Some(beginning) = argument.strip_suffix('*') else {
            units.push(asked_unit(argument, changes, has_control)?);
            continue;
        };
        let before = units.len();
        for preset in preset::all().filter(|preset| preset.name.starts_with(beginning)) {
            units.push(asked_unit(preset.name, changes, has_control)?);
        }
        if units.len() == before {
            return Err(usage(format_args!(
                "no preset matches `{argument}`; `tracewright designs` lists the presets"
            )));
        }
    }
    if let [first, second, ..] = units.as_slice()
        && first.design.name == second.design.name
        && changes.pairs()?.iter().any(|(key, _)| *key == "name")
    {
        return Err(usage("--set name: expected one design, found several"));
    }
    Ok(units)
}

/// Adapts the design to the machine of a trace.
///
/// # Errors
/// When a parameter was set for another machine.
pub fn for_machine(design: &Design, machine: Machine) -> Result<Design> {
    design.for_machine(machine).map_err(|error| usage(format_args!("{}: {error}", design.name)))
}

/// Checks that hardware can have traced a machine. Its parameters are not changed: bits that come from hardware are
/// decoded with those that it was generated with.
///
/// # Errors
/// When the hardware drops address bits that the machine's instructions have.
pub fn check_hardware(design: &Design, machine: Machine) -> Result<()> {
    let (name, alignment) = (&design.name, design.processor().alignment);
    let needed = machine.alignment;
    if alignment <= needed.into() {
        return Ok(());
    }
    Err(usage(format_args!(
        "{name} has alignment = {alignment}, and the program has instructions at multiples of {} bytes, whose addresses such \
         hardware cannot send: expected the design that was generated, such as its folder, or --set alignment={needed}",
        1 << needed
    )))
}

/// The fingerprint of a design as `decode --fingerprint` takes it.
pub fn fingerprint(design: &Design) -> String {
    format!("{:#010x}", design.fingerprint())
}

/// Reads a fingerprint: a number of 32 bits, in hexadecimal after 0x.
///
/// # Errors
/// When it is none.
pub fn parse_fingerprint(text: &str) -> Result<u32, String> {
    let number = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| "expected a number of 32 bits, such as 0x1234abcd".into())
}

/// Checks that hardware with this fingerprint is of the design.
///
/// # Errors
/// When it is not: which parameter differs, if it is one, or which may.
pub fn check_fingerprint(design: &Design, found: u32) -> Result<()> {
    if design.fingerprint() == found {
        return Ok(());
    }
    let (name, own) = (&design.name, fingerprint(design));
    let what = match design.difference_to(found) {
        Some((parameter, value)) => format!("the hardware has {parameter} = {value}"),
        None => "the scheme or several parameters differ; those of buffers, queue, reset, clock and memories do not count".into(),
    };
    Err(anyhow!(
        "{name} has the fingerprint {own}, and the hardware {found:#010x}: {what}; expected the design that was generated, such as its \
         folder"
    ))
}

/// The first difference between two designs, if any.
pub fn difference(one: &Design, other: &Design) -> Option<String> {
    if one.scheme.name() != other.scheme.name() {
        return Some(format!("the scheme is {}, not {}", one.scheme.name(), other.scheme.name()));
    }
    let pairs = one.resolved().values().into_iter().zip(other.resolved().values());
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
