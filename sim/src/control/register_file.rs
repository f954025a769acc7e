//! The registers: one access in a cycle on one side, the fields on the other.

use super::access::{Access, Answer};
use super::table::{Access as Kind, Hardware, Map, PAGE};

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
    /// A pointer becomes this one.
    pub loaded: Option<u32>,
    /// A word of data was read.
    pub is_read: bool,
}

/// The registers.
#[derive(Clone, Debug)]
pub struct RegisterFile {
    map: Map,
    /// The fields in the order of the table: what is stored of each.
    stored: Vec<u32>,
}

/// Where a field is.
#[derive(Clone, Copy)]
struct Place {
    /// Among all fields.
    field: usize,
    /// The address of its register in words.
    address: u32,
}

impl RegisterFile {
    /// Registers as they are after a reset.
    pub fn new(map: &Map) -> Self {
        let stored = map.fields().map(|(_, field)| field.reset.unwrap_or(0)).collect();
        Self { map: map.clone(), stored }
    }

    fn places(&self) -> impl Iterator<Item = Place> {
        let registers = self.map.registers();
        let places = registers
            .flat_map(|(address, _, register)| register.fields.iter().map(move |_| address / 4));
        places.enumerate().map(|(field, address)| Place { field, address })
    }

    fn field_at(&self, name: &str) -> Option<usize> {
        self.map.fields().position(|(_, field)| field.name == name)
    }

    /// What a field reads as.
    fn value(&self, at: usize, kind: Kind, input: &Input) -> u32 {
        match kind {
            Kind::Constant | Kind::Control { .. } | Kind::Sticky { .. } => self.stored[at],
            Kind::Status | Kind::Pointer { .. } | Kind::Data => input.value,
        }
    }

    /// What is answered to an access.
    pub fn answer(&self, access: &Access, inputs: &[Input]) -> Answer {
        let here = self.places().filter(|place| place.address == access.address);
        let mut answer = Answer {
            is_ready: true,
            data: 0,
            is_outside: access.address >= self.map.components.len() as u32 * PAGE / 4,
        };
        let fields: Vec<_> = self.map.fields().map(|(_, field)| field).collect();
        for Place { field: at, .. } in here {
            let (field, input) = (fields[at], &inputs[at]);
            answer.data |= self.value(at, field.access, input) << field.low;
            answer.is_ready &= field.access != Kind::Data || access.is_write || input.is_ready;
        }
        answer
    }

    /// True if the access writes the register of a field in this cycle.
    fn writes(&self, access: &Access, place: Place) -> bool {
        access.is_valid && access.is_write && access.address == place.address
    }

    /// What the hardware is told of each field.
    pub fn outputs(&self, access: &Access, inputs: &[Input]) -> Vec<Output> {
        let answer = self.answer(access, inputs);
        let fields = self.map.fields().map(|(_, field)| field);
        let outputs = self.places().zip(fields).map(|(place, field)| {
            let value = self.value(place.field, field.access, &inputs[place.field]);
            let is_pointer = matches!(field.access, Kind::Pointer { .. });
            let is_loaded = is_pointer && self.writes(access, place);
            let is_read = access.is_valid && !access.is_write && answer.is_ready;
            Output {
                value,
                loaded: is_loaded.then(|| field.written(value, access.data, access.mask())),
                is_read: is_read && field.access == Kind::Data && access.address == place.address,
            }
        });
        outputs.collect()
    }

    /// The end of the cycle.
    pub fn clock(&mut self, access: &Access, inputs: &[Input]) {
        let before = self.stored.clone();
        let is_switched_on = |name: &str| {
            let at = self.field_at(name)?;
            let (_, field) = self.map.fields().nth(at)?;
            Some(before[at] == 0 && field.written(0, access.data, access.mask()) == 1)
        };
        let components = self
            .map
            .registers()
            .flat_map(|(_, component, register)| register.fields.iter().map(move |_| component));
        let fields = self.map.fields().map(|(_, field)| field);
        let mut after = before.clone();
        for ((place, component), field) in self.places().zip(components).zip(fields) {
            let Place { field: at, .. } = place;
            let mut value = before[at];
            if !field.is_stored() {
                continue;
            }
            if self.writes(access, place) {
                value = field.written(value, access.data, access.mask());
                if let Kind::Sticky { cleared_with } = field.access
                    && is_switched_on(cleared_with) == Some(true)
                {
                    value = 0;
                }
            }
            let (sets, clears) = match field.access {
                Kind::Control { hardware: Hardware::Switches, .. } => (true, true),
                Kind::Control { hardware: Hardware::Clears, .. } => (false, true),
                Kind::Sticky { .. } => (true, false),
                _ => (false, false),
            };
            if sets && inputs[at].sets {
                value = 1;
            }
            if clears && inputs[at].clears {
                value = 0;
            }
            let is_active = self
                .field_at(component.active)
                .is_none_or(|active| active == at || before[active] == 1);
            after[at] = if is_active { value } else { field.reset.unwrap_or(0) };
        }
        self.stored = after;
    }
}
