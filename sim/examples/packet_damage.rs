//! Cuts and damages traces of packets, and counts what is lost and what is decoded wrong.
//!
//! `cargo run --release -p tracewright-sim --example packet_damage -- TRACE EVENTS TRIALS [PARAMETER=VALUE…]`
//!
//! The design is traptor-m4 with packets and a synchronisation after each 4096 instructions. For each size of the
//! checksum, the trace of the first events is decoded from as many random bits on as there are trials, and with as
//! many times a wrong bit, and a wrong bit in each 10,000 and 1,000 bits. Then whole packets are dropped, repeated,
//! swapped and replaced by those of another trace, as many times for each width of their numbers and of the checksum,
//! in turn of a design of each scheme with kept and with cleared tables.

use std::path::Path;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::{Event, Machine};
use tracewright_sim::program::{Program, ProgramBuilder};
use tracewright_sim::scheme::Design;
use tracewright_sim::trace_io;

use packet_damage::{
    FAMILIES, Marked, Piece, Verdict, damage, decode_from, judge, marked, pieces, shifted,
};

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
    for checksum in ["0", "8", "16"] {
        for numbers in ["0", "4", "8", "12", "16"] {
            let widths = [("checksum_bits", checksum), ("sequence_bits", numbers)];
            whole_packets(&(machine, &events, &program), &settings, widths, trials)?;
        }
    }
    Ok(())
}

/// Drops, repeats and moves packets of a design of each scheme, so many times in all.
fn whole_packets(
    (machine, events, program): &(Machine, &Vec<Event>, &Program),
    settings: &[String],
    widths: [(&str, &str); 2],
    trials: usize,
) -> Result<(), AnyError> {
    let both = [&events[..], events].concat();
    let mut random = ChaCha8Rng::seed_from_u64(31);
    let (mut wrong, mut cases, variants) = (0, 0, 2 * FAMILIES.len());
    for (variant, preset) in FAMILIES.iter().cycle().take(variants).enumerate() {
        let mut design = Design::preset(preset)?;
        let keeps = if variant < FAMILIES.len() { "false" } else { "true" };
        let common =
            [("framing", "packets"), ("sync_interval", "1024"), ("sync_keeps_tables", keeps)];
        for (name, value) in common.into_iter().chain(widths) {
            design.set(name, value)?;
        }
        for (name, value) in settings.iter().filter_map(|setting| setting.split_once('=')) {
            design.set(name, value)?;
        }
        let design = design.for_machine(*machine)?;
        let whole = pieces(&marked(&design, events), 0, events.len());
        let other = shifted(&design, events, events.len() / 7);
        for case in 0..trials.div_ceil(variants) {
            let (_, damaged) = damage(&mut random, case, &whole, &other);
            let (bytes, places) = Piece::join(&damaged);
            let (parts, _) = decode_from(&design, *program, &bytes, 0);
            wrong += usize::from(judge(&both, &places, &parts).is_some());
            cases += 1;
        }
    }
    let [(_, checksum), (_, numbers)] = widths;
    println!(
        "checksum_bits={checksum}, sequence_bits={numbers}: {wrong} of {cases} traces with packets dropped, repeated or moved are wrong"
    );
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
