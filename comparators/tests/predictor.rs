//! Predictors without hardware: what is encoded comes back, costs what the probabilities say, and is refused by name.

use tracewright_comparators::predictor::{
    Branch, Model, ModelEncoder, Prediction, Predictor, Table, Tables,
};
use tracewright_comparators::{DecodeError, Encode, EncodeError};
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::Event;
use tracewright_sim::field::Account;
use tracewright_sim::synthetic::{Options, Synthetic};

use crate::common::{Execution, WORKLOADS, execution, instructions, workload};

/// Outcomes by what each branch did recently, targets by where it went last.
struct LocalHistory {
    histories: Table,
    counters: Table,
    targets: Table,
}

impl LocalHistory {
    fn new([branches, outcomes]: [u64; 2], tables: &mut Tables) -> Self {
        Self {
            histories: tables.table("histories", branches, outcomes as u32, 0),
            counters: tables.table("counters", 1 << outcomes, 3, 4),
            targets: tables.table("targets", branches, 64, 0),
        }
    }
}

impl Predictor for LocalHistory {
    fn predict(&mut self, branch: &Branch) -> Prediction {
        let entry = branch.program_counter >> 1;
        let counter = self.counters.get(self.histories.get(entry));
        let confidence = [7, 4, 2, 1, 1, 2, 4, 7][counter as usize];
        Prediction { taken: counter >= 4, target: self.targets.get(entry), confidence }
    }

    fn learn(&mut self, branch: &Branch, taken: bool, target: u64) {
        let entry = branch.program_counter >> 1;
        if branch.kind.is_conditional() {
            let history = self.histories.get(entry);
            self.counters.count(history, taken);
            let newest = u64::from(taken) * (self.histories.most() / 2 + 1);
            self.histories.set(entry, history >> 1 | newest);
        }
        if taken && branch.kind.is_indirect() {
            self.targets.set(entry, target);
        }
    }
}

fn local_history() -> Model {
    let parameters = [("branches", 256), ("outcomes", 8)];
    Model::with_parameters("local-history", parameters, LocalHistory::new)
}

/// Says that nothing is taken, with this confidence, and writes too much into a table after some branches.
struct Sure {
    confidence: u32,
    count: Table,
    most: u64,
}

impl Predictor for Sure {
    fn predict(&mut self, _: &Branch) -> Prediction {
        Prediction { taken: false, target: 0, confidence: self.confidence }
    }

    fn learn(&mut self, _: &Branch, _: bool, _: u64) {
        let next = self.count.get(0) + 1;
        self.count.set(0, if self.most == 0 { 0 } else { next.min(self.most) });
    }
}

fn sure(confidence: u32, most: u64) -> Model {
    Model::new("sure", move |tables| Sure {
        confidence,
        count: tables.table("count", 1, 4, 0),
        most,
    })
}

fn encoded(
    model: &Model,
    execution: &Execution,
) -> Result<(Vec<u8>, Account, ModelEncoder), EncodeError> {
    let mut encoder = model.unchecked(&execution.core)?;
    let mut sinks = (BitPacker::new(), Account::default());
    for event in &execution.events {
        encoder.event(event, &mut sinks)?;
    }
    encoder.finish(&mut sinks)?;
    Ok((sinks.0.finish(), sinks.1, encoder))
}

fn decoded(model: &Model, bytes: &[u8], execution: &Execution) -> Result<Vec<Event>, DecodeError> {
    let (most, mut events) = (instructions(execution), Vec::new());
    let Execution { core, program, .. } = execution;
    let mut bytes = bytes;
    model.decode(core, program, &mut bytes, most, &mut |event| events.push(event))?;
    Ok(events)
}

/// Encodes, decodes and compares; gives the bits.
#[track_caller]
fn round_trip(model: &Model, execution: &Execution, what: &str) -> u64 {
    let (bytes, account, encoder) = encoded(model, execution).unwrap();
    let events =
        decoded(model, &bytes, execution).unwrap_or_else(|error| panic!("{what}: {error}"));
    let without_length = |event: &Event| Event { length: 0, ..*event };
    assert!(
        events.iter().map(without_length).eq(execution.events.iter().map(without_length)),
        "{what}"
    );
    let said: f64 = encoder.spent().iter().sum();
    let bits = account.bits as f64;
    assert!((said - bits).abs() < 40.0 + bits / 1000.0, "{what}: {said} and {bits} bits");
    assert_eq!(account.fields.iter().map(|(_, bits)| bits).sum::<u64>(), account.bits, "{what}");
    account.bits
}

#[test]
fn predictors_come_back() {
    let mut sums = [0; 3];
    let models = [local_history().set("branches", 16).unwrap(), local_history(), sure(14, 0)];
    for name in WORKLOADS {
        let execution = workload(name, 30_000);
        for (sum, model) in sums.iter_mut().zip(&models) {
            *sum += round_trip(model, &execution, name);
        }
    }
    assert!(sums[1] < sums[0] && 2 * sums[1] < sums[2], "{sums:?}");
    for seed in 0..12 {
        let options =
            Options { events: 2_000, threads: 1, data_accesses: 0, ..Options::from_seed(seed) };
        let synthetic = Synthetic::new(options).unwrap();
        let machine = synthetic.machine();
        let all: Vec<Event> = synthetic.collect();
        for most in [0, 1, 37, all.len()] {
            let execution = execution(machine, all[..most].to_vec());
            round_trip(&models[1], &execution, &format!("seed {seed}, {most} events"));
        }
    }
}

#[test]
fn storage_is_what_the_tables_have() {
    let model = local_history().set("outcomes", 4).unwrap();
    let storage: Vec<(&str, u64)> =
        model.storage().iter().map(|(name, bits)| (name.as_str(), *bits)).collect();
    let tables =
        [("histories", 1024), ("counters", 48), ("targets", 16384), ("exception_target", 64)];
    assert_eq!((storage.as_slice(), model.storage_bits()), (tables.as_slice(), 17_520));
    let error = model.set("branches", 1 << 40).unwrap_err();
    assert_eq!(error, "histories has 1099511627776 entries: expected at most 67108864");
    let error = model.set("branch", 1).unwrap_err();
    assert_eq!(error, "local-history has no parameter `branch`; it has branches, outcomes");
}

#[test]
fn what_a_predictor_does_wrong_is_said() {
    let execution = workload("arm-adpcm_c", 1_000);
    let refused = |model| match encoded(&model, &execution) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{model:?} is not refused"),
    };
    assert_eq!(refused(sure(15, 0)), "expected a confidence from 1 to 14, found 15");
    assert_eq!(refused(sure(3, 99)), "count[0] = 16 does not fit the 4 bits of an entry");
    let (bytes, ..) = encoded(&local_history(), &execution).unwrap();
    let other = workload("rv64-djpeg", 1_000);
    assert!(decoded(&local_history(), &bytes, &other).is_err());
    assert!(decoded(&local_history(), &bytes[..bytes.len() / 2], &execution).is_err());
    // Bytes that no encoder makes end, and do not panic.
    for byte in 0..=255 {
        let _ = decoded(&local_history(), &[byte; 64], &execution);
    }
}
