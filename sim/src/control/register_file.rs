//! The registers: one access in a cycle on one side, the fields on the other.

use super::access::{Access, Answer};
use super::table::{Access as Kind, Field, Hardware, Map};

/// What the hardware says of a field in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// What a status, a pointer or a word of data is.
    pub value: u32,
    /// The field becomes 1.
    pub sets: bool,
    /// The field becomes 0.
    pub clears: bool,
    /// A word of data is there.
    pub is_ready: bool,
}

/// What the hardware is told of a field in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// What it is.
    pub value: u32,
    /// What a pointer becomes if it is loaded.
    pub loaded: u32,
    /// A pointer becomes another one.
    pub is_loaded: bool,
    /// A word of data was read.
    pub is_read: bool,
}

/// A field, and what it belongs to.
#[derive(Clone, Debug)]
struct Kept {
    field: Field,
    /// The address of its register in words.
    address: u32,
    /// The field that holds it in reset while it is 0, among all of them; `None` for that field itself.
    active: Option<usize>,
    /// The field that clears it where it is set.
    cleared_with: Option<usize>,
    /// What is stored of it.
    value: u32,
}

/// The registers.
#[derive(Clone, Debug)]
pub struct RegisterFile {
    /// The fields in the order of the table.
    fields: Vec<Kept>,
    /// The first address in words after the last page.
    end: u32,
}

impl Kept {
    /// What the field reads as.
    fn reads_as(&self, input: &Input) -> u32 {
        match self.field.access {
            Kind::Constant | Kind::Control { .. } | Kind::Sticky { .. } => self.value,
            Kind::Status | Kind::Pointer { .. } | Kind::Data => input.value,
        }
    }

    /// True if the access writes its register in this cycle.
    fn is_written(&self, access: &Access) -> bool {
        access.is_valid && access.is_write && access.address == self.address
    }

    /// What the hardware makes of a value.
    fn changed(&self, value: u32, input: &Input) -> u32 {
        let (sets, clears) = match self.field.access {
            Kind::Control { hardware: Hardware::Switches, .. } => (true, true),
            Kind::Control { hardware: Hardware::Clears, .. } => (false, true),
            Kind::Sticky { .. } => (true, false),
            _ => (false, false),
        };
        if clears && input.clears {
            0
        } else if sets && input.sets {
            1
        } else {
            value
        }
    }
}

impl RegisterFile {
    /// Registers as they are after a reset.
    pub fn new(map: &Map) -> Self {
        let place = |name: &str| map.fields().position(|(_, field)| field.name == name);
        let kept = map.registers().flat_map(|(address, component, register)| {
            let active = component.active;
            register.fields.iter().map(move |field| Kept {
                field: field.clone(),
                address: address / 4,
                active: (field.name != active).then(|| place(active)).flatten(),
                cleared_with: match field.access {
                    Kind::Sticky { cleared_with } => place(cleared_with),
                    _ => None,
                },
                value: field.reset.unwrap_or(0),
            })
        });
        Self { fields: kept.collect(), end: map.end() / 4 }
    }

    /// What is answered to an access.
    pub fn answer(&self, access: &Access, inputs: &[Input]) -> Answer {
        let is_outside = access.address >= self.end;
        let mut answer = Answer { is_ready: true, data: 0, is_outside };
        for (kept, input) in self.fields.iter().zip(inputs) {
            if kept.address == access.address {
                answer.data |= kept.reads_as(input) << kept.field.low;
                let waits = kept.field.access == Kind::Data && !input.is_ready;
                answer.is_ready &= access.is_write || !waits;
            }
        }
        answer
    }

    /// What the hardware is told of each field.
    pub fn outputs(&self, access: &Access, inputs: &[Input]) -> Vec<Output> {
        let answer = self.answer(access, inputs);
        let reads = access.is_valid && !access.is_write && answer.is_ready;
        let outputs = self.fields.iter().zip(inputs).map(|(kept, input)| {
            let value = kept.reads_as(input);
            let is_pointer = matches!(kept.field.access, Kind::Pointer { .. });
            Output {
                value,
                loaded: kept.field.written(value, access.data, access.mask()),
                is_loaded: is_pointer && kept.is_written(access),
                is_read: reads && kept.field.access == Kind::Data && kept.address == access.address,
            }
        });
        outputs.collect()
    }

    /// The end of the cycle.
    pub fn clock(&mut self, access: &Access, inputs: &[Input]) {
        let mask = access.mask();
        let after = self.fields.iter().zip(inputs).map(|(kept, input)| {
            let Kept { field, value, .. } = kept;
            if !field.is_stored() {
                return *value;
            }
            let is_held = kept.active.is_some_and(|active| self.fields[active].value == 0);
            let is_switched_on = kept.cleared_with.is_some_and(|at| {
                let other = &self.fields[at];
                other.value == 0 && other.field.written(0, access.data, mask) == 1
            });
            match kept.is_written(access) {
                _ if is_held => field.reset.unwrap_or(0),
                true if is_switched_on => kept.changed(0, input),
                true => kept.changed(field.written(*value, access.data, mask), input),
                false => kept.changed(*value, input),
            }
        });
        let after: Vec<u32> = after.collect();
        for (kept, value) in self.fields.iter_mut().zip(after) {
            kept.value = value;
        }
    }
}
