//! The funnel of a system in simulation: what is at its pins, and what software does with its registers.

use rand::Rng;
use tracewright_sim::event::Item;
use tracewright_sim::message_funnel::Source;
use tracewright_sim::pins::{module, sinks};

use super::bench::Bench;
use crate::bus::Clocked;
use crate::debugger::{ACTIVE, Debugger, EMPTY};
use crate::error::Result;
use crate::library::{Library, OutputPort};
use crate::model::Model;
use crate::unit::Place;
use crate::unit::bench::Stop;
use crate::unit::probe::{self, Named, Net};

/// Fields of its registers, whose nets are shown.
const FIELDS: [&str; 3] = ["trFunnelEnable", "trFunnelDisInput", "trFunnelEmpty_value"];

/// `trFunnelControl` while the funnel is on, and `trFunnelDisInput`.
const ON: u32 = 0b11;
const DISABLED: u32 = 8;

/// All byte strobes.
const WORD: u32 = 15;

/// Cycles in which a hart is switched off in the funnel.
const OFF_CYCLES: u64 = 150;

/// The pins.
pub(super) struct FunnelPins {
    data: OutputPort,
    valid: OutputPort,
    ready: OutputPort,
    enable: OutputPort,
    disabled: OutputPort,
    is_empty: OutputPort,
    all_has_left: OutputPort,
}

/// What is at them in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct FunnelSeen {
    pub(super) sent: Option<u8>,
    pub(super) is_ready: bool,
    enable: bool,
    disabled: u32,
    pub(super) is_empty: bool,
    pub(super) all_has_left: bool,
}

/// The nets that are shown of the funnel of so many harts.
pub(super) fn nets(harts: u32) -> [Net; 7] {
    let [enable, disabled, is_empty] = FIELDS;
    [
        (module::TRACE_DATA.name, 8),
        (module::TRACE_VALID.name, 1),
        (module::TRACE_READY.name, 1),
        (enable, 1),
        (disabled, harts),
        (is_empty, 1),
        (sinks::FUNNEL_ALL_HAS_LEFT.name, 1),
    ]
}

impl FunnelPins {
    pub(super) fn find(library: &Library) -> Result<FunnelPins> {
        let own = Named::new(library, "");
        let shown = |name: &str| own.output(&probe::name(name));
        let [enable, disabled, is_empty] = FIELDS;
        Ok(FunnelPins {
            data: shown(module::TRACE_DATA.name)?,
            valid: shown(module::TRACE_VALID.name)?,
            ready: shown(module::TRACE_READY.name)?,
            enable: shown(enable)?,
            disabled: shown(disabled)?,
            is_empty: shown(is_empty)?,
            all_has_left: shown(sinks::FUNNEL_ALL_HAS_LEFT.name)?,
        })
    }

    pub(super) fn see(&self, model: &Model) -> FunnelSeen {
        let is = |pin| model.get(pin) != 0;
        FunnelSeen {
            sent: is(self.valid).then(|| model.get(self.data) as u8),
            is_ready: is(self.ready),
            enable: is(self.enable),
            disabled: model.get(self.disabled) as u32,
            is_empty: is(self.is_empty),
            all_has_left: is(self.all_has_left),
        }
    }
}

impl FunnelSeen {
    /// The harts as the funnel takes them.
    pub(super) fn switched(&self, offered: &[(Source, bool)]) -> Vec<Source> {
        let is_off = |place: usize| !self.enable || self.disabled >> place & 1 == 1;
        let sources = offered.iter().enumerate();
        sources.map(|(place, (of, _))| Source { is_off: is_off(place), ..*of }).collect()
    }
}

impl<I: Iterator<Item = Result<Item>>> Bench<'_, I> {
    /// Accesses go to the registers of funnel and sink from here on.
    pub(super) fn at_shared(&mut self) {
        self.master.base = self.system.shared_base;
    }

    /// Switches the funnel on or off, and harts off in it; both registers and the funnel's pins have to say so then.
    fn switch_funnel(&mut self, is_on: bool, disabled: u32) -> Result<(), Stop> {
        self.at_shared();
        let control = if is_on { ON } else { ACTIVE };
        self.write(DISABLED, disabled, WORD)?;
        self.write(0, control, WORD)?;
        let (says, _) = self.read(0)?;
        let (says_disabled, _) = self.read(DISABLED)?;
        if (says & ON, says_disabled) != (control, disabled) {
            let what = format!("trFunnelControl is {says:#x}, trFunnelDisInput {says_disabled:#x}");
            return Err(self.fails(Place::Registers, what));
        }
        let seen = self.funnel_pins.see(&self.model);
        if (seen.enable, seen.disabled) != (is_on, disabled) {
            let (enable, disabled) = (seen.enable, seen.disabled);
            let what = format!("the funnel is told {enable} and {disabled:#x} after a write");
            return Err(self.fails(Place::Registers, what));
        }
        Ok(())
    }

    pub(super) fn switch_funnel_on(&mut self) -> Result<(), Stop> {
        self.at_shared();
        self.write(0, ACTIVE, WORD)?;
        self.switch_funnel(true, 0)
    }

    /// Switches the funnel off, until what has begun in it has left.
    pub(super) fn switch_funnel_off(&mut self) -> Result<(), Stop> {
        self.switch_funnel(false, 0)?;
        self.wait(0, EMPTY, EMPTY)?;
        match self.funnel.is_empty() {
            true => Ok(()),
            false => Err(self.fails(Place::Registers, "trFunnelEmpty is 1 before a message ends")),
        }
    }

    /// A hart is switched off in the funnel while the cores run, or all of them, and on again.
    pub(super) fn rest_in_funnel(&mut self) -> Result<(), Stop> {
        let hart = self.random.random_range(0..self.harts.len());
        self.switch_funnel(true, 1 << hart)?;
        (0..OFF_CYCLES).try_for_each(|_| self.cycle())?;
        if self.random.random() {
            self.switch_funnel_off()?;
            (0..OFF_CYCLES).try_for_each(|_| self.cycle())?;
        }
        self.switch_funnel(true, 0)
    }
}
