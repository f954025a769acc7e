//! The reader of a ring by a serial line in Verilator against its model, cycle by cycle.

use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::pins::{Pin, control};
use tracewright_sim::sinks::uart_reader::{Inputs, Step, UartReader, steps};

use super::Failure;
use crate::error::Result as SimulationResult;
use crate::library::Library;
use crate::model::Model;

/// Cycles of a run.
const CYCLES: u64 = 40_000;

/// Cycles of a bit in some runs, a few of which come into a run.
const SLOWEST: u32 = 33_000;

fn set(model: &mut Model, pin: &Pin<()>, value: u32) -> SimulationResult<()> {
    let (pin, _) = model.library().input_of_any_width(pin.name)?;
    model.set(pin, value.into());
    Ok(())
}

/// What a register reads as. The bit that is waited for comes now and then, and a ring has often not wrapped.
fn read(random: &mut ChaCha8Rng, ring_bytes: u32, address: u16) -> u32 {
    let data: u32 = random.random();
    let is_pointer =
        |step: &Step| matches!(step, Step::SendPointer { address: at } if *at == address);
    if steps(ring_bytes).iter().any(is_pointer) {
        let most = (ring_bytes / 4).min(16);
        let words = [0, 1, 2, random.random_range(0..most)][random.random_range(0..4)];
        // The bits above are not read.
        let above = data << ring_bytes.ilog2();
        let has_wrapped: u32 = random.random_range(0..4) / 3;
        return above | (4 * words) | has_wrapped;
    }
    data
}

/// Lets the reader do its steps at a bus that is slow now and then, with `stop` high or low at random. Gives the hardware
/// as it is then.
///
/// # Errors
/// What differs between hardware and model.
pub fn run_at_random(library: &Arc<Library>, ring_bytes: u32, seed: u64) -> Result<Model, Failure> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut model = Model::new(library, seed)?;
    model.reset(2)?;
    let mut twin = UartReader::new(ring_bytes);
    let cycles_per_bit = [5, 1, 2, SLOWEST, 3][(seed % 5) as usize];
    let mut stop = false;
    for cycle in 0..CYCLES {
        stop ^= random.random_range(0..if stop { 3_000 } else { 300 }) == 0;
        let outputs = twin.outputs();
        let data = read(&mut random, ring_bytes, outputs.access.map_or(0, |access| access.address));
        let is_ready = random.random_range(0..2);
        set(&mut model, &control::UART_STOP, stop.into())?;
        set(&mut model, &control::CYCLES_PER_BIT, cycles_per_bit)?;
        set(&mut model, &control::PREADY, is_ready)?;
        set(&mut model, &control::PRDATA, data)?;
        model.cycle()?;
        let mut expected = vec![
            (control::UART_READY, outputs.is_ready.into()),
            (control::UART_TX, outputs.line.into()),
            (control::PSEL, outputs.access.is_some().into()),
        ];
        if let Some(access) = outputs.access {
            expected.extend([
                (control::PENABLE, access.is_enabled.into()),
                (control::PADDR, access.address.into()),
                (control::PWRITE, access.written.is_some().into()),
            ]);
            expected.extend(access.written.map(|written| (control::PWDATA, written)));
        }
        for (pin, expected) in expected {
            let (output, _) = library.output_of_any_width(pin.name)?;
            let found = model.get(output);
            if found != u64::from(expected) {
                let what = format!("{} is {found:#x} and not {expected:#x}", pin.name);
                return Err(Failure::Difference { cycle, what });
            }
        }
        let is_ready = is_ready == 1;
        let cycles_per_bit = cycles_per_bit as u16;
        twin.clock(&Inputs { stop, cycles_per_bit, is_ready, data });
    }
    Ok(model)
}
