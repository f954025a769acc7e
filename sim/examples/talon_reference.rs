//! Prints length and digest of Talon's reference streams, and the bits that the format itself takes, for any traces.
//!
//! `cargo run --release -p tracewright-sim --example talon_reference -- TRACES…`

use std::path::Path;

use tracewright_sim::event::Event;
use tracewright_sim::field::Account;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::program::ProgramBuilder;
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::encoder::Encoder;
use tracewright_sim::trace_io;

#[path = "../tests/common/talon_reference.rs"]
mod talon_reference;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        let mut reader = trace_io::open(Path::new(&path))?;
        let machine = reader.machine();
        let mut builder = ProgramBuilder::new(machine);
        let mut events: Vec<Event> = Vec::new();
        while let Some(event) = reader.next_event()? {
            builder.event(&event)?;
            events.push(event);
        }
        let program = builder.finish()?;
        for event in events.iter_mut().filter(|event| event.call) {
            event.length = program.call_length(event.program_counter).unwrap_or(0);
        }
        let instructions: u64 = events.iter().map(|event| event.instructions).sum();
        for (name, mut config) in talon_reference::configurations() {
            config.processor.alignment = machine.alignment.into();
            config.processor.address_width = machine.address_bits.into();
            let mut reference = talon_reference::ReferenceEncoder::new(&config);
            events.iter().for_each(|event| reference.event(event));
            let (bytes, digest) = reference.finish();
            let (bits, fields) = bits(&config, &events)?;
            println!(
                "{path} {name} {bytes} {digest} {bits} bits, {:+.3} %, {:.5} per instruction {fields}",
                100.0 * bits as f64 / (8 * bytes) as f64 - 100.0,
                bits as f64 / instructions as f64
            );
        }
    }
    Ok(())
}

/// Bits of the format, and by field.
fn bits(config: &Config, events: &[Event]) -> Result<(u64, String), Box<dyn std::error::Error>> {
    let mut encoder = Encoder::new(config)?;
    let mut account = Account::default();
    for event in events {
        encoder.event(event, &mut account)?;
    }
    encoder.flush(&mut account);
    Ok((account.bits, format!("{:?}", account.fields)))
}
