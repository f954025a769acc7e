//! The registers of external triggers, and what their pins mean.

use crate::pins::control::Counts;

use super::table::{ANY, Access, Field, Hardware, Legal, Register, field, numbered};

/// Triggers that a register has fields for, of 4 bits each.
pub const MOST: u32 = 8;

/// The action of a trigger input that starts tracing.
pub const STARTS: u32 = 2;

/// That which stops tracing.
pub const STOPS: u32 = 3;

/// That which asks for a packet. There is no other action.
pub const NOTIFIES: u32 = 4;

const ACTION: Access = Access::Control {
    legal: Legal::OneOf(&[0, STARTS, STOPS, NOTIFIES]),
    hardware: Hardware::Reads,
};

/// The fields that say what each trigger input does.
pub const ACTIONS: [&str; MOST as usize] = numbered!("trTeTrigExtInAction", "");
/// The fields that say what fires each trigger output.
pub const EVENTS: [&str; MOST as usize] = numbered!("trTeTrigExtOutEvent", "");

/// How many triggers there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Triggers {
    /// Bits of `trigger_in`; without any the pin is not there.
    pub inputs: u32,
    /// Bits of `trigger_out`; without any the pin is not there.
    pub outputs: u32,
}

impl Triggers {
    /// What widths of their pins depend on.
    pub fn counts(self) -> Counts {
        Counts { inputs: self.inputs, outputs: self.outputs }
    }
}

/// Access and description of `trTeInstTracing`.
pub(super) fn tracing(triggers: Triggers) -> (Access, &'static str) {
    if triggers.inputs == 0 {
        let doc = "Instructions are traced while trTeEnable is 1 too; trTeInstMode must not be 0.";
        return (ANY, doc);
    }
    let access = Access::Control { legal: Legal::Any, hardware: Hardware::Switches };
    let doc = "Instructions are traced while trTeEnable is 1 too; trTeInstMode must not be 0. Triggers set and clear it: one that \
        stops prevails over one that starts, and both prevail over a write in the same cycle.";
    (access, doc)
}

/// The field that allows triggers to start and to stop.
pub(super) fn enable(triggers: Triggers) -> Option<Field> {
    let doc = "Triggers set and clear trTeInstTracing.";
    (triggers.inputs > 0).then(|| field("trTeInstTrigEnable", (11, 1), 0, ANY, doc))
}

/// The registers that say what triggers do.
pub(super) fn registers(triggers: Triggers) -> Vec<Register> {
    let inputs = (
        ("trTeTrigExtInControl", 0x54, "Says what each bit of trigger_in does when it rises."),
        (ACTIONS, triggers.inputs, ACTION),
        "0: nothing; 2: trTeInstTracing becomes 1; 3: it becomes 0; 4: a packet begins with the full address, if tracing is on. \
         Any other value becomes 0.",
    );
    let outputs = (
        (
            "trTeTrigExtOutControl",
            0x58,
            "Says what each bit of trigger_out is high for a cycle for.",
        ),
        (EVENTS, triggers.outputs, ANY),
        "A bit for each event: trTeInstTracing becomes 1; it becomes 0; a packet begins after a synchronisation or a loss; the \
         core begins to wait, or to lose blocks.",
    );
    let all = [inputs, outputs].into_iter().filter(|(_, (_, count, _), _)| *count > 0);
    all.map(|((name, offset, doc), (names, count, access), field_doc)| {
        let fields = (0..count).zip(names);
        let fields = fields.map(|(place, name)| field(name, (4 * place, 4), 0, access, field_doc));
        Register { name, offset, doc, fields: fields.collect() }
    })
    .collect()
}
