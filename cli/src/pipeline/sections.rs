//! The sections of a design file: what stands around the design.

use serde::{Deserialize, Serialize};

use super::unit::Around;
use super::{control, ingress, reader, sink};

/// The sections of a design file, whose keys have the meaning of the options of `generate`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sections {
    /// The port of the core.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ingress: Option<ingress::Section>,
    /// What takes the trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sink: Option<sink::Section>,
    /// The control registers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<control::Section>,
    /// The memory that takes the trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ram_sink: Option<control::RamSection>,
    /// What reads that memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reader: Option<reader::Section>,
}

impl Sections {
    /// Their names in a file.
    pub const KEYS: [&str; 5] = ["ingress", "sink", "control", "ram_sink", "reader"];

    /// The first section that there is.
    pub fn first_key(&self) -> Option<&'static str> {
        let Sections { ingress, sink, control, ram_sink, reader } = self;
        let are_there = [
            ingress.is_some(),
            sink.is_some(),
            control.is_some(),
            ram_sink.is_some(),
            reader.is_some(),
        ];
        Sections::KEYS
            .into_iter()
            .zip(are_there)
            .find_map(|(key, is_there)| is_there.then_some(key))
    }

    /// The sections that stand for what is around a design.
    pub fn of(around: &Around) -> Sections {
        Sections {
            ingress: around.adapter.map(ingress::Section::of),
            sink: sink::Section::of(&around.sinks),
            control: around.control.as_ref().map(control::Section::of),
            ram_sink: around.control.as_ref().and_then(control::RamSection::of),
            reader: around.reader.map(reader::Section::of),
        }
    }
}
