//! Tests that are the same for several schemes, and what those of schemes with a stream cache share.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tracewright_sim::decode::summary::Summary;
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::{Event, Kind, Machine};
use tracewright_sim::field::Account;
use tracewright_sim::program::Program;
use tracewright_sim::scheme::{self, Design, Scheme};
use tracewright_sim::synthetic::{Options, Synthetic};

use crate::common::{
    Error, MACHINE, described, encode, event, is_long, learn, round_trip, workload,
};

/// A preset for the machine of the handmade events.
pub fn preset(name: &str) -> Design {
    Design::preset(name).unwrap().for_machine(MACHINE).unwrap()
}

/// A design that no preset has.
pub fn design(scheme: Scheme) -> Design {
    Design::new("test", scheme).unwrap()
}

/// Every preset of this beginning gives every workload back.
pub fn presets_give_workloads_back(beginning: &str) {
    for name in [
        "arm-adpcm_c",
        "arm-stringsearch",
        "rv64-djpeg",
        "rv64-stringsearch",
        "arm-tiff2bw",
        "arm-fft-head",
    ] {
        let (machine, mut events) = workload(name, if is_long() { 200_000 } else { 60_000 });
        let program = learn(machine, &mut events);
        for preset in
            tracewright_sim::preset::all().filter(|preset| preset.name.starts_with(beginning))
        {
            let design = Design::preset(preset.name).unwrap().for_machine(machine).unwrap();
            let what = format!("{} on {name}", preset.name);
            round_trip(&design, &program, &events, events.len(), &what);
        }
    }
}

/// Configurations that `draw` makes for a machine's alignment and address bits give synthetic programs back, with flushes
/// anywhere.
pub fn random_configurations_give_programs_back(
    draw: impl Fn(&mut ChaCha8Rng, u32, u32) -> Scheme,
) {
    for seed in 0..150 {
        let (machine, mut events) = synthetic(seed, 5_000);
        let program = learn(machine, &mut events);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for interval in [events.len(), 1, 97] {
            let (alignment, bits) = (machine.alignment.into(), machine.address_bits.into());
            let design = design(draw(&mut random, alignment, bits));
            round_trip(&design, &program, &events, interval, &format!("{seed}: {design:?}"));
        }
    }
}

/// A synthetic program of one thread.
pub fn synthetic(seed: u64, events: u64) -> (Machine, Vec<Event>) {
    let synthetic = Synthetic::new(Options { events, ..Options::from_seed(seed) }).unwrap();
    (synthetic.machine(), synthetic.collect())
}

/// A taken direct conditional branch at the end of `instructions` from `start`.
pub fn branch(instructions: u64, start: u64, target: u64) -> Event {
    event(Kind::DirectConditional, instructions, start + 4 * (instructions - 1), Some(target))
}

/// An address of 32 bits as the trace has it: 30 bits in units of 4 bytes, lowest first.
pub fn start(address: u64) -> String {
    (0..30).map(|place| if address >> (place + 2) & 1 == 1 { '1' } else { '0' }).collect()
}

/// Bits that a trace has of a field.
pub fn bits_of(account: &Account, field: &str) -> u64 {
    account.fields.iter().find(|(name, _)| *name == field).map_or(0, |(_, bits)| *bits)
}

/// The events of a trace.
pub fn decode(
    design: &Design,
    program: &Program,
    bytes: &[u8],
) -> Result<(Vec<Event>, Summary), Error> {
    let mut events = Vec::new();
    let mut bits = BitUnpacker::new(bytes);
    let summary = scheme::decode(design, program, &mut bits, 1 << 40, |event| {
        events.push(event);
        Ok::<(), Error>(())
    })?;
    Ok((events, summary))
}

/// Events with exceptions and flushes where they are hardest to place: at the start of a stream,
/// after each other, after a cut at 7 instructions, at a system call.
fn hard_places() -> Vec<Event> {
    vec![
        event(Kind::Exception, 3, 0x8, Some(0x200)),
        event(Kind::IndirectJump, 2, 0x204, Some(0x300)),
        event(Kind::Exception, 0, 0x204, Some(0x400)),
        event(Kind::DirectConditional, 7, 0x418, None),
        event(Kind::Exception, 0, 0x418, Some(0x500)),
        event(Kind::Exception, 7, 0x518, None),
        event(Kind::DirectJump, 7, 0x534, Some(0x600)),
        event(Kind::Exception, 0, 0x534, Some(0x700)),
        event(Kind::IndirectConditional, 14, 0x734, None),
        event(Kind::DirectConditional, 1, 0x738, Some(0x800)),
        event(Kind::Exception, 0, 0x738, Some(0x900)),
        event(Kind::Exception, 4, 0x90c, None),
    ]
}

/// Designs give exceptions and flushes in hard places back.
pub fn hard_places_come_back(designs: impl IntoIterator<Item = Design>) {
    let mut events = hard_places();
    let program = learn(MACHINE, &mut events);
    for design in designs {
        for interval in 1..=events.len() {
            round_trip(&design, &program, &events, interval, &format!("{interval}: {design:?}"));
        }
    }
}

/// A trace cut anywhere is an error, never a shorter execution.
pub fn cut_traces_are_errors(preset: &str) {
    let (machine, mut events) = workload("rv64-stringsearch", 3_000);
    let program = learn(machine, &mut events);
    let design = Design::preset(preset).unwrap().for_machine(machine).unwrap();
    let (bytes, _) = encode(&design, &events, events.len());
    for length in 0..bytes.len() {
        let cut = decode(&design, &program, &bytes[..length]);
        assert!(cut.is_err(), "{length} of {} bytes", bytes.len());
    }
}

/// A trace with a bit turned is refused or is some other execution, and the decoder comes to an end.
pub fn damaged_traces_end(preset: &str) {
    let (machine, mut events) = workload("arm-stringsearch", 2_000);
    let program = learn(machine, &mut events);
    let design = Design::preset(preset).unwrap().for_machine(machine).unwrap();
    let (bytes, _) = encode(&design, &events, 500);
    let mut refused = 0;
    for bit in 0..8 * bytes.len() {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        match decode(&design, &program, &damaged) {
            Err(_) => refused += 1,
            Ok((back, summary)) => {
                let same = back.iter().map(described).eq(events.iter().map(described));
                assert!(!same || summary.trailing_instructions > 0, "bit {bit} says nothing");
            }
        }
    }
    assert!(refused > 4 * bytes.len(), "{refused} of {}", 8 * bytes.len());
}
