//! Faults in what stuffs zeros, alone, with data that are mostly ones: whole designs stuff so seldom that they do not
//! show them.

use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_hdl::{Generated, Part};
use tracewright_sim::packet::stuffing::Stuffer;
use tracewright_sim::scheme::Design;
use tracewright_testbench::{Direction, Library, Model, ModelSource, Port, VerilogFile};

use super::bench::Bench;

/// Ones of a marker, and bits of a piece, of `traptor-m4` with packets.
const MARKER_ONES: u32 = 16;
const WIDTH: u32 = 9;

/// Pieces that the module is shown.
const PIECES: usize = 40_000;

/// A piece of bits of which most are ones: few of its zeros are not at one of its ends.
fn piece(random: &mut ChaCha8Rng) -> (u64, u32) {
    let bits = random.random_range(0..=WIDTH);
    let zero = |random: &mut ChaCha8Rng| match random.random_ratio(1, 6) {
        true if bits > 0 => 1 << random.random_range(0..bits),
        _ => 0,
    };
    let ones = (1 << bits) - 1;
    let zeros =
        zero(random) | if bits > 0 && random.random_ratio(1, 12) { 1 << (bits - 1) } else { 0 };
    (ones & !zeros, bits)
}

/// The module alone.
fn source(generated: &Generated) -> ModelSource {
    let is_stuffer = |(name, _): &&(String, String)| name.contains("_stuffer");
    let (name, text) = generated.files.iter().find(is_stuffer).expect("a stuffer");
    let port = |name: &str, direction, width| Port { name: name.into(), direction, width };
    let input = |name, width| port(name, Direction::Input, width);
    let output = |name, width| port(name, Direction::Output, width);
    ModelSource {
        files: vec![VerilogFile::new(name, text)],
        top: name.trim_end_matches(".v").into(),
        clock: Some("clock".into()),
        ports: vec![
            input("clock", 1),
            input("reset", 1),
            input("restart", 1),
            input("takes", 1),
            input("word", WIDTH),
            input("bits", 4),
            output("stuffed", WIDTH + 1),
            output("stuffed_bits", 4),
            input("fault_select", 20),
        ],
    }
}

/// The first piece of which the module and the model make different bits.
fn difference(library: &Arc<Library>) -> Option<String> {
    let mut model = Model::new(library, 1).unwrap();
    let inputs = ["restart", "takes", "word", "bits"]
        .map(|name| library.input_of_any_width(name).unwrap().0);
    let outputs =
        ["stuffed", "stuffed_bits"].map(|name| library.output_of_any_width(name).unwrap().0);
    model.reset(1).unwrap();
    let (mut golden, mut random) = (Stuffer::new(MARKER_ONES), ChaCha8Rng::seed_from_u64(1));
    for number in 0..PIECES {
        let (word, bits) = piece(&mut random);
        let (takes, restart) = (random.random_ratio(7, 8), random.random_ratio(1, 40));
        let values = [restart.into(), takes.into(), word, bits.into()];
        inputs.into_iter().zip(values).for_each(|(pin, value)| model.set(pin, value));
        model.cycle().unwrap();
        let mut tried = golden;
        let (taken, stuffs) = tried.take(word, bits);
        tried.take(word >> taken, bits - taken);
        let low = word & ((1 << taken) - 1);
        let expected = [low | (word ^ low) << u32::from(stuffs), (bits + u32::from(stuffs)).into()];
        let found = outputs.map(|pin| model.get(pin));
        if found != expected {
            return Some(format!(
                "piece {number}, {word:#b}: expected {expected:?}, found {found:?}"
            ));
        }
        if takes {
            golden = tried;
        }
        if restart {
            golden.restart();
        }
    }
    None
}

/// Every fault of the module.
pub fn bench() -> Bench<'static> {
    let mut design = Design::preset("traptor-m4").unwrap();
    design.set("framing", "packets").unwrap();
    let bench = Bench::new("stuffer", Part::Design(&design), Box::new(difference));
    bench.only(&["stuffer"]).alone(source)
}
