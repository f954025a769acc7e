//! The environment of a captured program: its memory image, the devices, and the host.

use std::collections::VecDeque;
use std::mem;

use crate::board::{Effect, Taken, World};
use crate::capture::CaptureOptions;
use crate::devices::{Device, Placed, Surroundings};
use crate::emulator::Fault;
use crate::error::Error;
use crate::host::{Answer, Call};
use crate::host_files::Host;
use crate::inputs::{Input, What};
use crate::layout::Layout;
use crate::lines::Beyond;
use crate::program::Program;
use crate::working_set::Line;

/// Everything that a run takes from outside, which is recorded.
#[derive(Debug)]
pub struct Outside {
    program: Program,
    lines: Vec<Line>,
    inputs: Vec<Input>,
    /// The bytes of the input that were there at the beginning.
    input_bytes: usize,
    devices: Vec<Placed>,
    around: Surroundings,
    host: Host,
    /// The pending interrupts of the first version of the file have the timer in bit 0.
    records_calls: bool,
}

impl Outside {
    /// The environment at the beginning.
    pub fn new(
        program: Program,
        layout: &Layout,
        devices: Vec<Placed>,
        options: &CaptureOptions,
    ) -> Outside {
        let input = VecDeque::from(options.input.clone());
        Outside {
            host: Host::new(&program, layout, options),
            program,
            lines: Vec::new(),
            inputs: Vec::new(),
            input_bytes: input.len(),
            devices,
            around: Surroundings { input, time: 0, clock_reads: 0 },
            records_calls: layout.records_calls,
        }
    }

    fn record(&mut self, time: u64, what: What) {
        self.inputs.push(Input { time, what });
    }

    /// The device at an address, the offset there, and what it shares with others.
    fn device(
        &mut self,
        address: u64,
        time: u64,
    ) -> Option<(&mut dyn Device, u64, &mut Surroundings)> {
        self.around.time = time;
        let placed = self.devices.iter_mut().find(|it| it.addresses.contains(&address))?;
        Some((placed.device.as_mut(), address - placed.addresses.start, &mut self.around))
    }

    fn pending_interrupts(&self, time: u64) -> u64 {
        self.devices.iter().fold(0, |pending, placed| pending | placed.device.pending(time))
    }
}

impl Beyond for Outside {
    fn first_touch(&mut self, address: u64, line: &mut [u8]) -> Result<(), Box<Error>> {
        self.program.read(address, line);
        self.lines.push(Line { address, bytes: line.to_vec() });
        Ok(())
    }
}

impl World for Outside {
    fn load(&mut self, address: u64, bytes: usize, time: u64) -> Result<u64, Fault> {
        let found = self.device(address, time);
        let value = found.map_or(0, |(device, offset, around)| device.load(offset, bytes, around));
        self.record(time, What::Value(value));
        Ok(value)
    }

    fn store(
        &mut self,
        address: u64,
        bytes: usize,
        value: u64,
        time: u64,
    ) -> Result<Effect, Fault> {
        let Some((device, offset, around)) = self.device(address, time) else {
            return Ok(Effect::None);
        };
        let effect = device.store(offset, bytes, value, around);
        if let Effect::Block { address, bytes } = &effect {
            self.wrote(*address, bytes, time);
        }
        Ok(effect)
    }

    fn call(&mut self, call: Call, time: u64) -> Result<Answer, Fault> {
        self.around.time = time;
        let answer = self.host.answer(call, &mut self.around);
        for (address, bytes) in &answer.blocks {
            self.wrote(*address, bytes, time);
        }
        self.record(time, What::Value(answer.value));
        Ok(answer)
    }

    fn wrote(&mut self, address: u64, bytes: &[u8], time: u64) {
        self.record(time, What::Block { address, bytes: bytes.to_vec() });
    }

    fn pending(&mut self, time: u64) -> Result<u64, Fault> {
        let pending = self.pending_interrupts(time);
        let recorded = if self.records_calls { pending } else { u64::from(pending != 0) };
        self.record(time, What::Value(recorded));
        Ok(pending)
    }

    fn interrupt(&mut self, time: u64, enabled: u64) -> Result<Option<u64>, Fault> {
        if enabled == 0 {
            return Ok(None);
        }
        let now = self.pending_interrupts(time) & enabled;
        let number = (now != 0).then(|| u64::from(now.trailing_zeros()));
        if let Some(number) = number {
            self.record(time, What::Interrupt(number));
        }
        Ok(number)
    }

    /// A pending interrupt that is not enabled waits for the instruction that enables it, after which
    /// the machine asks anyway.
    fn next_interrupt(&self, enabled: u64) -> u64 {
        let times = self.devices.iter().filter_map(|placed| placed.device.next_interrupt(enabled));
        times.min().unwrap_or(u64::MAX)
    }

    fn taken(&self) -> Taken {
        let Surroundings { clock_reads, input, .. } = &self.around;
        Taken { clock_reads: *clock_reads, inputs: self.input_bytes - input.len() }
    }

    fn recorded(&mut self) -> (Vec<Line>, Vec<Input>) {
        let (mut lines, inputs) = (mem::take(&mut self.lines), mem::take(&mut self.inputs));
        lines.sort_unstable_by_key(|line| line.address);
        (lines, inputs)
    }
}
