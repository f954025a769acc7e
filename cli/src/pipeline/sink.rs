//! What takes the trace of a design that `generate` writes.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::{Deserialize, Serialize};
use tracewright_sim::sinks::Sink;

#[derive(Args, Default, PartialEq)]
#[group(skip)]
pub struct Arguments {
    /// Add a module with the trace port made for an AXI4-Stream slave, a trace bus of AMBA (ATB), or the pins of a
    /// chip; --control goes around one of them
    #[arg(long, value_name = "SINK", value_delimiter = ',', value_parser = parser())]
    sink: Vec<SinkName>,
}

/// A sink by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
struct SinkName(Sink);

fn parser() -> impl TypedValueParser<Value = SinkName> {
    PossibleValuesParser::new(Sink::ALL.map(Sink::name)).try_map(SinkName::try_from)
}

impl TryFrom<String> for SinkName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Sink::named(&name).map(SinkName).ok_or_else(|| format!("no sink is called {name}"))
    }
}

impl From<SinkName> for &'static str {
    fn from(name: SinkName) -> Self {
        name.0.name()
    }
}

/// The section `[sink]` of a design file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    port: Ports,
}

/// One sink, or several to choose from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected port to be axi-stream, atb or pins, or a list of them")]
enum Ports {
    One(SinkName),
    Several(Vec<SinkName>),
}

impl Section {
    /// The only sink of it; `None` where there are several to choose from.
    pub fn only(&self) -> Option<Sink> {
        match &self.port {
            Ports::One(name) => Some(name.0),
            Ports::Several(_) => None,
        }
    }

    /// The section that stands for these sinks.
    pub fn of(sinks: &[Sink]) -> Option<Section> {
        let port = match sinks {
            [] => return None,
            [one] => Ports::One(SinkName(*one)),
            several => Ports::Several(several.iter().copied().map(SinkName).collect()),
        };
        Some(Section { port })
    }
}

impl Arguments {
    /// The sinks, each once: those of the options, else those of the file.
    pub fn sinks(&self, file: Option<&Section>) -> Vec<Sink> {
        let of_file: &[SinkName] = match file.map(|section| &section.port) {
            None => &[],
            Some(Ports::One(name)) => std::slice::from_ref(name),
            Some(Ports::Several(names)) => names,
        };
        let names = if self.sink.is_empty() { of_file } else { &self.sink };
        let mut sinks: Vec<Sink> = Vec::new();
        for sink in names.iter().map(|name| name.0) {
            if !sinks.contains(&sink) {
                sinks.push(sink);
            }
        }
        sinks
    }
}
