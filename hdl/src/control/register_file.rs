//! The registers, made from their table.

use tracewright_elaborate::prelude::*;
use tracewright_sim::control::table::{Access as Kind, Field, Hardware, Legal, Map, PAGE};

use super::access::Access;

packed! {
    /// Ones in the bits of the bytes that are written, the lowest byte first.
    pub ByteMask of ();
    first: 8;
    second: 8;
    third: 8;
    fourth: 8;
}

/// A field and the places of what it belongs to.
#[derive(Clone, Copy)]
struct Place<'a> {
    field: &'a Field,
    /// The register, among all of them.
    register: usize,
    /// The name of the field that holds it in reset while it is 0.
    active: &'static str,
}

impl Place<'_> {
    fn word(&self, value: u32) -> Word {
        Word::new(self.field.kept_bits() as usize, u64::from(value))
    }

    fn reset(&self) -> Word {
        self.word(self.field.reset.unwrap_or(0))
    }

    /// The values of a field that has some of a list, without 0.
    fn listed(&self) -> &'static [u32] {
        match self.field.access {
            Kind::Control { legal: Legal::OneOf(values), .. } => values,
            _ => &[],
        }
    }

    /// The bits that a field can have, or its one value beside 0.
    fn legal_bits(&self) -> Word {
        self.word(match self.field.access {
            Kind::Control { legal: Legal::Bits(bits) | Legal::ZeroOr(bits), .. }
            | Kind::Pointer { legal_bits: bits } => bits,
            _ => u32::MAX,
        })
    }

    fn is_of(&self, is_it: impl Fn(Legal) -> bool) -> bool {
        matches!(self.field.access, Kind::Control { legal, .. } if is_it(legal))
    }

    fn is_changed(&self, by: &[Hardware]) -> bool {
        matches!(self.field.access, Kind::Control { hardware, .. } if by.contains(&hardware))
    }

    fn named(&self, suffix: &str) -> String {
        format!("{}{suffix}", self.field.name)
    }
}

/// The fields of a table whose access is of a kind.
fn places(map: &Map, is_of: impl Fn(Kind) -> bool) -> Vec<Place<'_>> {
    let registers = map.registers().enumerate();
    let all = registers.flat_map(|(at, (_, component, register))| {
        let place = move |field| Place { field, register: at, active: component.active };
        register.fields.iter().map(place)
    });
    all.filter(|place| is_of(place.field.access)).collect()
}

/// The place of a field of this name, the number of all if there is none.
fn place(of: &[Place<'_>], name: &str) -> usize {
    of.iter().position(|place| place.field.name == name).unwrap_or(of.len())
}

block! {
    /// Holds the registers of the Trace Control Interface: an access in each cycle on one side, the fields on the other.
    ///
    /// An access outside of their pages reads 0 and writes nothing.
    pub RegisterFile("register_file") of (map: &Map) {
        let controls = places(map, |kind| matches!(kind, Kind::Control { .. }));
        let stickies = places(map, |kind| matches!(kind, Kind::Sticky { .. }));
        let statuses = places(map, |kind| kind == Kind::Status);
        let pointers = places(map, |kind| matches!(kind, Kind::Pointer { .. }));
        let words = places(map, |kind| kind == Kind::Data);
        let bits = |place: &Place<'_>| place.field.kept_bits() as usize;
        let low = |place: &Place<'_>| place.field.low as usize;
        let register_word = |address: u32| Word::new(14, u64::from(address / 4));
        let addresses: Vec<_> = map.registers().map(|(address, _, _)| register_word(address)).collect();
        let written: Vec<_> = map.registers().map(|(_, _, register)| register.fields.iter().any(Field::is_written)).collect();
        let names: Vec<_> = map.registers().map(|(_, _, register)| register.name).collect();
        let constants = map.registers().map(|(_, _, register)| {
            let of_constants = register.fields.iter().filter(|field| field.access == Kind::Constant);
            let value = of_constants.fold(0, |all, field| all | field.reset.unwrap_or(0) << field.low);
            Word::new(32, u64::from(value))
        });
        let listed: Vec<_> = controls.iter().enumerate().flat_map(|(at, control)| {
            let values = control.listed().iter().filter(|value| **value > 0);
            values.map(move |value| (at, control.word(*value)))
        }).collect();
    }
    parameters {
        registers = addresses.len(),
        fields = map.fields().count(),
    }

    in access: Access();
    #[label(control.field.name)]
    out control: bits(control) for control in &controls;
    #[label(control.named("_set"))]
    in control_set: usize::from(control.is_changed(&[Hardware::Switches])) for control in &controls;
    #[label(control.named("_clear"))]
    in control_clear: usize::from(control.is_changed(&[Hardware::Switches, Hardware::Clears])) for control in &controls;
    #[label(sticky.named("_set"))]
    in sticky_set: 1 for sticky in &stickies;
    #[label(status.named("_value"))]
    in status: bits(status) for status in &statuses;
    #[label(pointer.named("_value"))]
    in pointer: bits(pointer) for pointer in &pointers;
    #[label(pointer.named("_load"))]
    out pointer_load: 1 for pointer in &pointers;
    #[label(pointer.named("_loaded"))]
    out pointer_loaded: bits(pointer) for pointer in &pointers;
    #[label(word.named("_value"))]
    in word: 32 for word in &words;
    #[label(word.named("_ready"))]
    in word_ready: 1 for word in &words;
    #[label(word.named("_read"))]
    out word_read: 1 for word in &words;
    #[label(control.named("_kept"))]
    reg kept: bits(control) = control.reset() for control in &controls;
    #[label(sticky.named("_kept"))]
    reg stuck: bits(sticky) = sticky.reset() for sticky in &stickies;
    local mask: ByteMask();
    /// the bits that are not written
    local unwritten: 32;
    /// the bits that are written as 1
    local ones: 32;
    local writes: 1;
    local reads: 1;
    #[label(format!("writes_{name}"))]
    local is_written: usize::from(*written) for (name, written) in names.iter().zip(&written);
    #[label(control.named("_merged"))]
    local merged: bits(control) for control in &controls;
    #[label(control.named("_legal"))]
    local legal: bits(control) for control in &controls;
    #[label(pointer.named("_merged"))]
    local pointer_merged: bits(pointer) for pointer in &pointers;
    #[label(format!("{name}_word"))]
    local read: 32 for name in &names;
    param end = register_word(map.components.len() as u32 * PAGE);
    param all_ones = Word::new(8, 0xff);
    param address = address.clone() for address in &addresses;
    param can_be_written = *written for written in &written;
    param constant_bits = value for value in constants;
    param control_register = control.register for control in &controls;
    param control_low = low(control) for control in &controls;
    param control_active = place(&controls, control.active) for control in &controls;
    param control_reset = control.reset() for control in &controls;
    param is_active_itself = control.field.name == control.active for control in &controls;
    param legal_bits = control.legal_bits() for control in &controls;
    param has_one_value = control.is_of(|legal| matches!(legal, Legal::ZeroOr(_))) for control in &controls;
    param is_listed = control.is_of(|legal| matches!(legal, Legal::OneOf(_))) for control in &controls;
    param has_set = control.is_changed(&[Hardware::Switches]) for control in &controls;
    param has_clear = control.is_changed(&[Hardware::Switches, Hardware::Clears]) for control in &controls;
    param listed_field = *field for (field, _) in &listed;
    param listed_value = value.clone() for (_, value) in &listed;
    param sticky_register = sticky.register for sticky in &stickies;
    param sticky_low = low(sticky) for sticky in &stickies;
    param sticky_active = place(&controls, sticky.active) for sticky in &stickies;
    param sticky_reset = sticky.reset() for sticky in &stickies;
    param cleared_with = match sticky.field.access {
        Kind::Sticky { cleared_with } => place(&controls, cleared_with),
        _ => controls.len(),
    } for sticky in &stickies;
    param status_register = status.register for status in &statuses;
    param status_low = low(status) for status in &statuses;
    param pointer_register = pointer.register for pointer in &pointers;
    param pointer_low = low(pointer) for pointer in &pointers;
    param pointer_legal = pointer.legal_bits() for pointer in &pointers;
    param word_register = word.register for word in &words;
}

#[kernel]
impl Logic for RegisterFile {
    fn update(&mut self) {
        // The access.
        access.outside = access.address >= end;
        access.ready = 1;
        for register in 0..address.len() {
            for each in 0..word.len() {
                if when(word_register[each] == register) {
                    if !access.write && access.address == address[register] {
                        access.ready = word_ready[each];
                    }
                }
            }
        }
        writes = access.valid & access.write;
        reads = access.valid & access.ready & !access.write;
        for register in 0..address.len() {
            if when(can_be_written[register]) {
                is_written[register] = 0;
                if access.address == address[register] {
                    is_written[register] = writes;
                }
            }
            for each in 0..word.len() {
                if when(word_register[each] == register) {
                    word_read[each] = 0;
                    if access.address == address[register] {
                        word_read[each] = reads;
                    }
                }
            }
        }
        mask.first = 0;
        mask.second = 0;
        mask.third = 0;
        mask.fourth = 0;
        if access.strobes.get_bit(0) {
            mask.first = all_ones;
        }
        if access.strobes.get_bit(1) {
            mask.second = all_ones;
        }
        if access.strobes.get_bit(2) {
            mask.third = all_ones;
        }
        if access.strobes.get_bit(3) {
            mask.fourth = all_ones;
        }
        unwritten = !mask;
        ones = access.written & mask;

        // What is written, of legal values only.
        for each in 0..control.len() {
            merged[each] = (kept[each].q & fitted(unwritten >> control_low[each]))
                | fitted(ones >> control_low[each]);
            legal[each] = merged[each] & legal_bits[each];
            if when(has_one_value[each]) {
                legal[each] = 0;
                if merged[each] {
                    legal[each] = legal_bits[each];
                }
            }
            if when(is_listed[each]) {
                legal[each] = 0;
                for value in 0..listed_value.len() {
                    if when(listed_field[value] == each) {
                        if merged[each] == listed_value[value] {
                            legal[each] = merged[each];
                        }
                    }
                }
            }
            for register in 0..address.len() {
                if when(control_register[each] == register) {
                    if is_written[register] {
                        kept[each].d = legal[each];
                    }
                }
            }
            if when(has_set[each]) {
                if control_set[each] {
                    kept[each].d = 1;
                }
            }
            if when(has_clear[each]) {
                if control_clear[each] {
                    kept[each].d = 0;
                }
            }
            control[each] = kept[each].q;
        }
        for each in 0..pointer.len() {
            pointer_merged[each] = (pointer[each] & fitted(unwritten >> pointer_low[each]))
                | fitted(ones >> pointer_low[each]);
            pointer_loaded[each] = pointer_merged[each] & pointer_legal[each];
            for register in 0..address.len() {
                if when(pointer_register[each] == register) {
                    pointer_load[each] = is_written[register];
                }
            }
        }
        for each in 0..sticky_set.len() {
            for register in 0..address.len() {
                if when(sticky_register[each] == register) {
                    if is_written[register] {
                        stuck[each].d = stuck[each].q & fitted(!ones >> sticky_low[each]);
                    }
                    for other in 0..control.len() {
                        if when(cleared_with[each] == other) {
                            if is_written[register] && merged[other] && !kept[other].q {
                                stuck[each].d = 0;
                            }
                        }
                    }
                }
            }
            if sticky_set[each] {
                stuck[each].d = 1;
            }
        }

        // What is held in reset.
        for active in 0..control.len() {
            if when(is_active_itself[active]) {
                if !kept[active].q {
                    for each in 0..control.len() {
                        if when(control_active[each] == active) {
                            if when(!is_active_itself[each]) {
                                kept[each].d = control_reset[each];
                            }
                        }
                    }
                    for each in 0..sticky_set.len() {
                        if when(sticky_active[each] == active) {
                            stuck[each].d = sticky_reset[each];
                        }
                    }
                }
            }
        }

        // What is read.
        access.read = 0;
        for register in 0..address.len() {
            read[register] = constant_bits[register];
            for each in 0..control.len() {
                if when(control_register[each] == register) {
                    read[register] = read[register] | (fitted(kept[each].q) << control_low[each]);
                }
            }
            for each in 0..sticky_set.len() {
                if when(sticky_register[each] == register) {
                    read[register] = read[register] | (fitted(stuck[each].q) << sticky_low[each]);
                }
            }
            for each in 0..status.len() {
                if when(status_register[each] == register) {
                    read[register] = read[register] | (fitted(status[each]) << status_low[each]);
                }
            }
            for each in 0..pointer.len() {
                if when(pointer_register[each] == register) {
                    read[register] = read[register] | (fitted(pointer[each]) << pointer_low[each]);
                }
            }
            for each in 0..word.len() {
                if when(word_register[each] == register) {
                    read[register] = word[each];
                }
            }
            if access.address == address[register] {
                access.read = read[register];
            }
        }
    }
}
