//! Faults in what stuffs zeros, in one step or in two, alone, with data that are mostly ones: whole designs stuff so seldom that they do not
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
    let (name, text) = file(generated, "_stuffer");
    of_files(vec![VerilogFile::new(name, text)], name.trim_end_matches(".v"), "restart")
}

/// What measures a piece, and the module that stuffs a zero into it.
fn source_in_steps(generated: &Generated) -> ModelSource {
    let parts = ["_piece_measure", "_measured_stuffer"].map(|part| file(generated, part));
    let mut files = parts.map(|(name, text)| VerilogFile::new(name, text)).to_vec();
    files.push(VerilogFile::new("stuffing_in_steps.v", include_str!("stuffing_in_steps.v")));
    of_files(files, "stuffing_in_steps", "is_marker")
}

/// The file of a module and its text.
fn file<'g>(generated: &'g Generated, part: &str) -> (&'g str, &'g str) {
    let is_it = |(name, _): &&(String, String)| name.ends_with(&format!("{part}.v"));
    let (name, text) = generated.files.iter().find(is_it).expect("the part");
    (name, text)
}

/// The model of a module with this input for markers.
fn of_files(files: Vec<VerilogFile>, top: &str, marker: &str) -> ModelSource {
    let port = |name: &str, direction, width| Port { name: name.into(), direction, width };
    let input = |name, width| port(name, Direction::Input, width);
    let output = |name, width| port(name, Direction::Output, width);
    ModelSource {
        files,
        top: top.into(),
        clock: Some("clock".into()),
        ports: vec![
            input("clock", 1),
            input("reset", 1),
            input(marker, 1),
            input("takes", 1),
            input("word", WIDTH),
            input("bits", 4),
            output("stuffed", WIDTH + 1),
            output("stuffed_bits", 4),
            input("fault_select", 20),
        ],
    }
}

/// The first piece of which the module and the model make different bits. A module that is told of pieces of a `marker` leaves
/// them as they are, and begins anew after them; another one is told to begin anew.
fn difference(library: &Arc<Library>, marker: &str) -> Option<String> {
    let mut model = Model::new(library, 1).unwrap();
    let in_steps = marker == "is_marker";
    let inputs =
        [marker, "takes", "word", "bits"].map(|name| library.input_of_any_width(name).unwrap().0);
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
        let (taken, mut stuffs) = tried.take(word, bits);
        tried.take(word >> taken, bits - taken);
        let low = word & ((1 << taken) - 1);
        let is_marker = in_steps && restart;
        stuffs &= !is_marker;
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
        if restart && (takes || !in_steps) {
            golden.restart();
        }
    }
    None
}

/// traptor-m4 with packets.
fn design() -> Design {
    let mut design = Design::preset("traptor-m4").unwrap();
    design.set("framing", "packets").unwrap();
    design
}

/// Every fault of the module.
pub fn bench() -> Bench<'static> {
    let check = |library: &Arc<Library>| difference(library, "restart");
    let bench = Bench::new("stuffer", Part::Design(&design()), Box::new(check));
    bench.only(&["stuffer"]).alone(source)
}

/// Every fault of the two modules that do it in steps.
pub fn bench_in_steps() -> Bench<'static> {
    let mut design = design();
    design.set("encoder_registers", "true").unwrap();
    let check = |library: &Arc<Library>| difference(library, "is_marker");
    let bench = Bench::new("stuffing-steps", Part::Design(&design), Box::new(check));
    bench.only(&["piece_measure", "measured_stuffer"]).alone(source_in_steps)
}
