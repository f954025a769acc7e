//! Cuts and damages traces of packets, and counts what is lost and what is decoded wrong.
//!
//! `cargo run --release -p tracewright-sim --example packet_damage -- TRACE EVENTS TRIALS [PARAMETER=VALUE…]`
//!
//! The design is traptor-m4 with packets and a synchronisation after each 4096 instructions. For each size of the checksum,
//! the trace of the first events is decoded from as many random bits on as there are trials, and with as many times a wrong bit, and a wrong bit
//! in each 10,000 and 1,000 bits.

use std::path::Path;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::{Event, Machine};
use tracewright_sim::program::{Program, ProgramBuilder};
use tracewright_sim::scheme::Design;
use tracewright_sim::trace_io;

use packet_damage::{Marked, Verdict, decode_from, marked};

#[expect(clippy::expect_used, reason = "it is written for tests, which fail by panicking")]
#[path = "../tests/common/packet_damage.rs"]
mod packet_damage;

type AnyError = Box<dyn std::error::Error>;

fn main() -> Result<(), AnyError> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("expected a trace")?;
    let limit: usize = arguments.next().ok_or("expected a number of events")?.parse()?;
    let trials: usize = arguments.next().ok_or("expected a number of trials")?.parse()?;
    let settings: Vec<String> = arguments.collect();
    let (machine, events, program) = load(&path, limit)?;
    for checksum in ["0", "8", "16"] {
        let mut design = Design::preset("traptor-m4")?;
        for (name, value) in
            [("framing", "packets"), ("sync_interval", "4096"), ("checksum_bits", checksum)]
        {
            design.set(name, value)?;
        }
        for setting in &settings {
            let (name, value) = setting.split_once('=').ok_or("expected PARAMETER=VALUE")?;
            design.set(name, value)?;
        }
        let design = design.for_machine(machine)?;
        let trace = marked(&design, &events);
        println!(
            "checksum_bits={checksum}: {} bits, {} packets",
            trace.bits,
            trace.packets.len() - 1
        );
        let mut trial = Trial {
            design: &design,
            program: &program,
            trace: &trace,
            events: &events,
            random: ChaCha8Rng::seed_from_u64(15),
        };
        trial.cut(trials);
        for period in [None, Some(10_000), Some(1_000)] {
            trial.damage(trials, period);
        }
    }
    Ok(())
}

fn load(path: &str, limit: usize) -> Result<(Machine, Vec<Event>, Program), AnyError> {
    let reader = trace_io::open(Path::new(path))?;
    let machine = reader.machine();
    let mut events: Vec<Event> = reader.take(limit).collect::<Result<_, _>>()?;
    let mut builder = ProgramBuilder::new(machine);
    events.iter().try_for_each(|event| builder.event(event))?;
    let program = builder.finish()?;
    for event in events.iter_mut().filter(|event| event.call) {
        event.length = program.call_length(event.program_counter).unwrap_or(0);
    }
    Ok((machine, events, program))
}

struct Trial<'a> {
    design: &'a Design,
    program: &'a Program,
    trace: &'a Marked,
    events: &'a [Event],
    random: ChaCha8Rng,
}

impl Trial<'_> {
    /// Decodes from random bits on.
    fn cut(&mut self, trials: usize) {
        let mut right = 0;
        for _ in 0..trials {
            let bit = self.random.random_range(1..self.trace.bits);
            let (parts, _) = decode_from(self.design, self.program, &self.trace.bytes, bit);
            let verdict = self.trace.judge(self.events, &parts);
            right += usize::from(verdict == Verdict::Right { lost_packets: 0 });
        }
        println!("  from a random bit: {right} of {trials} decode from the next packet on");
    }

    /// Decodes with one wrong bit, or with one in each `period` bits.
    fn damage(&mut self, trials: usize, period: Option<u64>) {
        let (mut wrong, mut damaged, mut lost) = (0, 0, 0);
        for _ in 0..trials {
            let mut bytes = self.trace.bytes.clone();
            let errors = period.map_or(1, |period| self.trace.bits / period);
            for _ in 0..errors {
                let bit = self.random.random_range(0..self.trace.bits);
                bytes[(bit / 8) as usize] ^= 1 << (bit % 8);
            }
            damaged += errors;
            let (parts, _) = decode_from(self.design, self.program, &bytes, 0);
            match self.trace.judge(self.events, &parts) {
                Verdict::Right { lost_packets } => lost += lost_packets,
                Verdict::Wrong { .. } => wrong += 1,
            }
        }
        let rate =
            period.map_or("one wrong bit".into(), |period| format!("one in {period} bits wrong"));
        println!(
            "  {rate}: {wrong} of {trials} have a wrong event; {damaged} wrong bits cost {lost} packets in the others"
        );
    }
}
