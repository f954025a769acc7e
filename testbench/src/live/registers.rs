//! Tracing by control registers, while the core is held.

use std::sync::Arc;

use super::{Phase, Running};
use crate::bus::{Clocked, Master};
use crate::debugger::{Debugger, Ring};
use crate::error::{Error, Result};
use crate::library::Library;
use crate::model::Model;

/// A core that is held, and the bus of the trace module's registers.
struct Held<'a, 'b> {
    running: &'a mut Running<'b>,
    master: &'a mut Master,
}

impl Clocked for Held<'_, '_> {
    type Error = Error;

    fn model(&mut self) -> &mut Model {
        &mut self.running.model
    }

    fn master(&mut self) -> &mut Master {
        self.master
    }

    fn cycle(&mut self) -> Result<()> {
        self.running.cycle()?;
        self.running.access_memory();
        match self.running.retired.last() {
            None => Ok(()),
            Some(retired) => {
                let what = format!("{:#x} retires while it is held", retired.program_counter);
                Err(Error::Core { core: self.running.core.name(), what })
            }
        }
    }
}

impl Running<'_> {
    /// The master of the bus, where tracing is switched by registers.
    pub(super) fn debugger(&self, library: &Arc<Library>) -> Result<Option<Master>> {
        let has_registers = self.phase == Phase::Starting;
        has_registers.then(|| Master::new(library, self.options.seed)).transpose()
    }

    fn has_ram(&self) -> bool {
        self.pins.beats.is_none()
    }

    /// Switches sink and encoder on before the first instruction.
    pub(super) fn begin_by_registers(&mut self, master: &mut Master) -> Result<()> {
        let has_ram = self.has_ram();
        let mut held = Held { running: self, master };
        if has_ram {
            held.sink_on(0)?;
        }
        held.begin(0)
    }

    /// Switches encoder and sink off after the last instruction; gives what a RAM sink has.
    pub(super) fn end_by_registers(&mut self, master: &mut Master) -> Result<Option<Ring>> {
        let has_ram = self.has_ram();
        let mut held = Held { running: self, master };
        held.end()?;
        if !has_ram {
            return Ok(None);
        }
        held.sink_off()?;
        held.ring().map(Some)
    }
}
