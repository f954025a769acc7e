//! Settings of what stands around a design: each has a key in a section of the design's file, and an option that does the same. What
//! is wrong with one is said by the name that it was set by.

use std::fmt::{self, Display, Formatter};
use std::path::Path;

use tracewright_sim::parameter::ParameterError;

use super::failure::usage;

/// A setting: its name in errors of the model, its key, and its options.
struct Setting {
    name: &'static str,
    section: &'static str,
    key: &'static str,
    options: &'static [&'static str],
}

const fn setting(
    name: &'static str,
    (section, key): (&'static str, &'static str),
    options: &'static [&'static str],
) -> Setting {
    Setting { name, section, key, options }
}

const LANES: (&str, &str) = ("ingress", "lanes");

/// All of them, by names that no two have.
const SETTINGS: [Setting; 22] = [
    setting("ingress", ("ingress", "port"), &["--ingress"]),
    setting("xlen", ("ingress", "xlen"), &["--xlen"]),
    setting("extensions", ("ingress", "extensions"), &["--ingress-extensions"]),
    setting("compressed", ("ingress", "compressed"), &["--compressed"]),
    setting("trap", ("ingress", "trap"), &["--trap"]),
    setting("pins", ("ingress", "pins"), &["--ingress-pins"]),
    setting("itype_bits", ("ingress", "itype_bits"), &["--itype-bits"]),
    setting("retirement", ("ingress", "retirement"), &["--retirement"]),
    setting("ingress_lanes", LANES, &["--nret", "--blocks-per-cycle"]),
    setting("blocks_per_cycle", LANES, &["--blocks-per-cycle"]),
    setting("ingress_queue", ("ingress", "queue"), &["--ingress-queue"]),
    setting("ingress_slack", ("ingress", "slack"), &["--ingress-slack"]),
    setting("sink", ("sink", "port"), &["--sink"]),
    setting("control", ("control", "bus"), &["--control"]),
    setting("triggers_in", ("control", "triggers_in"), &["--triggers-in"]),
    setting("triggers_out", ("control", "triggers_out"), &["--triggers-out"]),
    setting("ram_sink", ("ram_sink", "bytes"), &["--ram-sink"]),
    setting("system_memory", ("ram_sink", "mode"), &["--system-memory"]),
    setting("address_bits", ("ram_sink", "address_bits"), &["--memory-address-bits"]),
    setting("data_bits", ("ram_sink", "data_bits"), &["--memory-data-bits"]),
    setting("burst_beats", ("ram_sink", "burst_beats"), &["--memory-burst-beats"]),
    setting("reader", ("reader", "port"), &["--reader"]),
];

fn named(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

/// What is wrong with a setting. Names of others are in braces: `{ingress_slack}`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wrong {
    name: &'static str,
    value: Option<String>,
    what: String,
}

impl Display for Wrong {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(&Places::default().said(self))
    }
}

impl std::error::Error for Wrong {}

/// An error of a setting of this name.
pub fn wrong(name: &'static str, what: impl Display) -> anyhow::Error {
    Wrong { name, value: None, what: what.to_string() }.into()
}

/// The same, which says the setting's value.
pub fn wrong_value(name: &'static str, value: impl Display, what: impl Display) -> anyhow::Error {
    Wrong { name, value: Some(value.to_string()), what: what.to_string() }.into()
}

/// By what a unit was set: the options that were given, the sections that there are, and the file that has them.
#[derive(Clone, Debug, Default)]
pub struct Places<'a> {
    /// Options that were given.
    pub options: Vec<&'static str>,
    /// The names of sections.
    pub sections: Vec<&'static str>,
    /// The file with the sections.
    pub file: Option<&'a Path>,
}

impl Places<'_> {
    /// The option that a setting was made by, or would be made by; `None` if a section made it.
    fn option(&self, setting: &Setting) -> Option<&'static str> {
        let given = setting.options.iter().find(|option| self.options.contains(option));
        let in_file = self.sections.contains(&setting.section);
        given.or(setting.options.first().filter(|_| !in_file)).copied()
    }

    /// A setting in a sentence about another one.
    fn other(&self, setting: &Setting, about: &Setting) -> String {
        match self.option(about) {
            Some(_) => self
                .option(setting)
                .or(setting.options.first().copied())
                .unwrap_or_default()
                .to_owned(),
            None if setting.section == about.section => setting.key.to_owned(),
            None => format!("[{}] {}", setting.section, setting.key),
        }
    }

    /// A setting and its value, by the name that it was set by.
    fn shown(&self, about: &Setting, value: Option<&str>) -> String {
        match (self.option(about), value) {
            (Some(option), None) => option.to_owned(),
            (Some(option), Some(value)) => format!("{option} {value}"),
            (None, value) => {
                let file = self.file.map_or(String::new(), |file| format!("{}, ", file.display()));
                let value = value.map_or(String::new(), |value| format!(" = {value}"));
                format!("{file}[{}] {}{value}", about.section, about.key)
            }
        }
    }

    /// The same of the setting of this name.
    pub fn name(&self, name: &str, value: impl Display) -> String {
        let value = value.to_string();
        named(name)
            .map_or_else(|| format!("{name} = {value}"), |about| self.shown(about, Some(&value)))
    }

    fn said(&self, wrong: &Wrong) -> String {
        let Wrong { name, value, what } = wrong;
        let Some(about) = named(name) else { return format!("{name}: {what}") };
        let what = SETTINGS.iter().fold(what.clone(), |what, setting| {
            what.replace(&format!("{{{}}}", setting.name), &self.other(setting, about))
        });
        format!("{}: {what}", self.shown(about, value.as_deref()))
    }

    /// An error with the name that its setting was made by, if it is about one.
    pub fn explain(&self, error: anyhow::Error) -> anyhow::Error {
        if let Some(wrong) = error.downcast_ref::<Wrong>() {
            return usage(self.said(wrong));
        }
        match error.downcast_ref::<ParameterError>() {
            Some(ParameterError::Constraint { name, given, constraint })
                if named(name).is_some() =>
            {
                let (value, what) = (Some(given.clone()), constraint.clone());
                usage(self.said(&Wrong { name, value, what }))
            }
            Some(other) => usage(other),
            None => error,
        }
    }
}
