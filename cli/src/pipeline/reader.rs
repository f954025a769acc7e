//! What reads the ring of a design that `generate` writes.

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use tracewright_sim::control::Bus;
use tracewright_sim::unit::Control;

use super::failure::usage;

#[derive(Args, Default, PartialEq)]
#[group(skip)]
pub struct Arguments {
    /// Add a module that switches tracing on after the reset and sends the ring by a serial line while its pin `stop`
    /// is high, for `decode --uart`; with --control apb and --ram-sink
    #[arg(long, value_name = "READER")]
    reader: Option<Choice>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Choice {
    None,
    Uart,
}

/// A module that reads a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reader {
    /// By a serial line.
    Uart,
}

/// The section `[reader]` of a design file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    port: Reader,
}

impl Section {
    /// The section that stands for this reader.
    pub fn of(port: Reader) -> Section {
        Section { port }
    }
}

impl Arguments {
    /// The reader that the option or else the file asks for.
    ///
    /// # Errors
    /// When there is nothing that it could read.
    pub fn reader(
        &self,
        file: Option<&Section>,
        control: Option<&Control>,
    ) -> Result<Option<Reader>> {
        let reader = match (self.reader, file) {
            (Some(Choice::Uart), _) => Some(Reader::Uart),
            (None, Some(section)) => Some(section.port),
            _ => None,
        };
        let is_readable =
            control.is_some_and(|control| control.bus == Bus::Apb && control.ram_sink.is_some());
        match (reader, is_readable) {
            (Some(_), false) if self.reader.is_none() => Err(usage(
                "[reader]: expected [control] with bus = \"apb\", and [ram_sink], whose ring it reads",
            )),
            (Some(_), false) => {
                Err(usage("--reader: expected --control apb and --ram-sink, whose ring it reads"))
            }
            (reader, _) => Ok(reader),
        }
    }
}
