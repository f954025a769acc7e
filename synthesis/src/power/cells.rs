//! Cells of a library with what their power depends on.

use super::function::Function;
use super::table::Table;
use super::units::Units;
use crate::liberty::syntax::Item;

/// Pins of a cell at most, so that all its states can be listed.
const MOST_PINS: usize = 14;

/// A cell.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) name: String,
    pub(super) pins: Vec<Pin>,
    pub(super) kept: Option<Kept>,
    groups: Vec<Group>,
    leakage: Vec<Leakage>,
    /// What leaks in states that have no figure of their own, in watts.
    other_leakage: Option<f64>,
}

/// A pin that is no supply.
#[derive(Clone, Debug)]
pub(super) struct Pin {
    pub(super) name: String,
    pub(super) is_output: bool,
    /// A clock: what is kept may change at its edge.
    pub(super) is_clock: bool,
    /// Farads of an input.
    pub(super) capacitance: f64,
    /// Farads that an output can drive, if the library says so.
    pub(super) most_load: Option<f64>,
    /// What an output is.
    pub(super) function: Option<Function>,
    /// Transition times of an output, in seconds, of all its arcs.
    transitions: Vec<Table>,
}

/// What a flip-flop or latch keeps: two variables after the pins, the second of which is the first one inverted.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) is_latch: bool,
    /// The edge, or the level of a latch.
    pub(super) clock: Function,
    pub(super) data: Function,
    pub(super) clear: Option<Function>,
    pub(super) preset: Option<Function>,
}

/// The energy of a pin's change in some states, in joules.
#[derive(Clone, Debug)]
struct Group {
    pin: usize,
    /// Inputs whose change is the reason; any if there is none.
    related: u32,
    when: Option<States>,
    /// Which of several supplies gives it.
    rail: String,
    rise: Option<Table>,
    fall: Option<Table>,
}

/// What leaks in some states, from one of the supplies, in watts.
#[derive(Clone, Debug)]
struct Leakage {
    when: Option<States>,
    watts: f64,
}

/// States of a cell, a bit for each.
#[derive(Clone, Debug)]
struct States(Vec<u64>);

impl States {
    fn of(function: &Function, variables: usize) -> States {
        let mut words = vec![0; (1usize << variables).div_ceil(64)];
        for state in (0..1u32 << variables).filter(|state| function.value(*state)) {
            words[state as usize / 64] |= 1 << (state % 64);
        }
        States(words)
    }

    fn has(&self, state: u32) -> bool {
        self.0[state as usize / 64] >> (state % 64) & 1 != 0
    }
}

/// Pins and what is kept, by name.
struct Names(Vec<String>);

impl Names {
    fn number(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|known| known == name)
    }

    /// The function in an attribute.
    fn function(&self, item: &Item<'_>, kind: &str) -> Result<Option<Function>, String> {
        let Some(attribute) = item.items.iter().flatten().find(|item| item.kind == kind) else {
            return Ok(None);
        };
        Function::read(attribute.argument(), &|name| self.number(name)).map(Some)
    }

    fn states(&self, item: &Item<'_>) -> Result<Option<States>, String> {
        let function = self.function(item, "when")?;
        Ok(function.map(|function| States::of(&function, self.0.len())))
    }
}

impl Cell {
    /// Reads a cell of a library.
    ///
    /// # Errors
    /// What is expected in it, without its name.
    pub(super) fn read(item: &Item<'_>, library: &Item<'_>, units: &Units) -> Result<Cell, String> {
        let of_pins = |item: &Item<'_>| item.kind == "pin" && item.items.is_some();
        let (internal, pins): (Vec<_>, Vec<_>) = item
            .items
            .iter()
            .flatten()
            .filter(|it| of_pins(it))
            .flat_map(|pin| pin.arguments.iter().map(move |name| (*name, pin)))
            .partition(|(_, pin)| pin.value("direction") == Some("internal"));
        if let Some(bus) = item.items.iter().flatten().find(|it| it.kind == "bus") {
            return Err(format!("expected pins of one bit, found the bus {}", bus.argument()));
        }
        if pins.len() + internal.len() > MOST_PINS {
            return Err(format!("expected at most {MOST_PINS} pins, found {}", pins.len()));
        }
        let mut names = Names(pins.iter().map(|(name, _)| (*name).to_owned()).collect());
        let kept = ["ff", "latch"].iter().find_map(|kind| item.all(kind).next());
        let variables = kept.map_or(&[][..], |kept| &kept.arguments);
        let internal =
            internal.iter().map(|(name, _)| name).filter(|name| !variables.contains(name));
        names.0.extend(variables.iter().chain(internal).map(|name| (*name).to_owned()));
        let kept = kept.map(|kept| Kept::read(kept, &names)).transpose()?;
        let clocks = kept.as_ref().map_or(Vec::new(), |kept| kept.clock.variables());
        let mut cell = Cell {
            name: item.argument().to_owned(),
            pins: Vec::new(),
            kept,
            groups: Vec::new(),
            leakage: Vec::new(),
            other_leakage: units.watts(item, "cell_leakage_power")?,
        };
        for (number, (name, pin)) in pins.iter().enumerate() {
            let is_clock =
                clocks.contains(&number) || pin.value("clock_gate_clock_pin") == Some("true");
            let of_pin = |reason| format!("pin {name}: {reason}");
            let read = Pin::read(name, pin, library, units, &names).map_err(of_pin)?;
            cell.pins.push(Pin { is_clock, ..read });
            let groups = pin.all("internal_power");
            for group in groups {
                cell.groups
                    .push(Group::read(number, group, library, units, &names).map_err(of_pin)?);
            }
        }
        for leakage in item.all("leakage_power") {
            let watts = units.watts(leakage, "value")?.unwrap_or_default();
            cell.leakage.push(Leakage { when: names.states(leakage)?, watts });
        }
        Ok(cell)
    }

    /// The library says what some pin's change takes.
    pub(super) fn has_power(&self) -> bool {
        !self.groups.is_empty()
    }

    /// The energies of a pin's changes at these transition times and loads, by group: `(rise, fall)`.
    pub(super) fn energies(&self, slew: f64, load: impl Fn(usize) -> f64) -> Vec<[f64; 2]> {
        let at = |group: &Group, table: &Option<Table>| {
            table.as_ref().map_or(0.0, |table| table.at(slew, load(group.pin)))
        };
        self.groups.iter().map(|group| [at(group, &group.fall), at(group, &group.rise)]).collect()
    }

    /// What a pin's change takes, from what [`energies`](Self::energies) gave: of each supply the mean of the groups for
    /// this state and the inputs that have changed too.
    pub(super) fn energy(&self, energies: &[[f64; 2]], change: &Change) -> f64 {
        let Change { pin, rises, state, changed } = *change;
        let groups = || self.groups.iter().zip(energies).filter(move |(group, _)| group.pin == pin);
        let is_related = groups().any(|(group, _)| group.related & changed != 0);
        let fits = |group: &Group| {
            (!is_related || group.related & changed != 0)
                && group.when.as_ref().is_none_or(|when| when.has(state))
        };
        let mut sum = 0.0;
        let mut rails: Vec<&str> = Vec::new();
        for (group, _) in groups() {
            if rails.contains(&group.rail.as_str()) {
                continue;
            }
            rails.push(&group.rail);
            let of_rail = groups().filter(|(other, _)| other.rail == group.rail && fits(other));
            let (mut of_state, mut others) = ((0.0, 0u32), (0.0, 0u32));
            for (group, energy) in of_rail {
                let sum = if group.when.is_some() { &mut of_state } else { &mut others };
                *sum = (sum.0 + energy[usize::from(rises)], sum.1 + 1);
            }
            let (energy, count) = if of_state.1 > 0 { of_state } else { others };
            sum += energy / f64::from(count.max(1));
        }
        sum
    }

    /// What leaks in a state, in watts; nothing if the library does not say it.
    pub(super) fn leakage(&self, state: u32) -> Option<f64> {
        let here = |leakage: &&Leakage| leakage.when.as_ref().is_some_and(|when| when.has(state));
        let of_state: f64 = self.leakage.iter().filter(here).map(|leakage| leakage.watts).sum();
        if self.leakage.iter().any(|leakage| here(&leakage)) {
            return Some(of_state);
        }
        let always = self.leakage.iter().filter(|leakage| leakage.when.is_none());
        let found = always.clone().next().map(|_| always.map(|leakage| leakage.watts).sum());
        self.other_leakage.or(found)
    }

    /// The mean transition time of an output for this load, in seconds.
    pub(super) fn transition(&self, pin: usize, slew: f64, load: f64) -> Option<f64> {
        let tables = &self.pins[pin].transitions;
        let sum: f64 = tables.iter().map(|table| table.at(slew, load)).sum();
        (!tables.is_empty()).then(|| sum / tables.len() as f64)
    }
}

/// A pin that changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    pub(super) pin: usize,
    pub(super) rises: bool,
    /// The state in which it does so.
    pub(super) state: u32,
    /// All pins that change at the same time.
    pub(super) changed: u32,
}

impl Pin {
    fn read(
        name: &str,
        pin: &Item<'_>,
        library: &Item<'_>,
        units: &Units,
        names: &Names,
    ) -> Result<Pin, String> {
        let is_output = pin.value("direction") == Some("output");
        let capacitance = match is_output {
            true => 0.0,
            false => units
                .capacitance(pin, "capacitance")?
                .or(units.capacitance(library, "default_input_pin_cap")?)
                .ok_or("expected a capacitance")?,
        };
        let mut transitions = Vec::new();
        for kind in ["rise_transition", "fall_transition"] {
            for table in pin.all("timing").flat_map(|timing| timing.all(kind)) {
                transitions.push(
                    Table::read(table, library, "lu_table_template")?.scaled(units, units.seconds),
                );
            }
        }
        Ok(Pin {
            name: name.to_owned(),
            is_output,
            is_clock: false,
            capacitance,
            most_load: units.capacitance(pin, "max_capacitance")?,
            function: names.function(pin, "function")?,
            transitions,
        })
    }
}

impl Kept {
    fn read(kept: &Item<'_>, names: &Names) -> Result<Kept, String> {
        let is_latch = kept.kind == "latch";
        let (clock, data) =
            if is_latch { ("enable", "data_in") } else { ("clocked_on", "next_state") };
        let needed = |kind: &str| {
            let function = names.function(kept, kind)?;
            function.ok_or_else(|| format!("expected a {kind} in its {}", kept.kind))
        };
        Ok(Kept {
            is_latch,
            clock: needed(clock)?,
            data: needed(data)?,
            clear: names.function(kept, "clear")?,
            preset: names.function(kept, "preset")?,
        })
    }
}

impl Group {
    fn read(
        pin: usize,
        group: &Item<'_>,
        library: &Item<'_>,
        units: &Units,
        names: &Names,
    ) -> Result<Group, String> {
        let table = |kind: &str| {
            let table = group.all(kind).next().or(group.all("power").next());
            let table =
                table.map(|table| Table::read(table, library, "power_lut_template")).transpose()?;
            Ok::<_, String>(table.map(|table| table.scaled(units, units.joules)))
        };
        let of =
            |kind: &'static str| group.items.iter().flatten().filter(move |item| item.kind == kind);
        let related = of("related_pin").flat_map(|item| item.arguments.iter());
        let related = related.flat_map(|text| text.split_whitespace());
        let related = related.filter_map(|name| names.number(name)).map(|number| 1 << number);
        let rail = of("related_pg_pin").next().map_or("", |item| item.argument());
        Ok(Group {
            pin,
            related: related.sum(),
            when: names.states(group)?,
            rail: rail.to_owned(),
            rise: table("rise_power")?,
            fall: table("fall_power")?,
        })
    }
}
