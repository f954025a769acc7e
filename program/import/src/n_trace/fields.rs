//! The fields of a message by their names in the specification.

use super::body::Body;
use crate::e_trace::Field;

impl Body {
    /// The name of the kind of message in the specification.
    pub fn name(&self) -> &'static str {
        match self.code() {
            2 => "Ownership",
            3 => "DirectBranch",
            4 => "IndirectBranch",
            7 => "DataAcquisition",
            8 => "Error",
            9 => "ProgTraceSync",
            11 => "DirectBranchSync",
            12 => "IndirectBranchSync",
            23 => "AuxAccessWrite",
            27 => "ResourceFull",
            28 => "IndirectBranchHist",
            29 => "IndirectBranchHistSync",
            30 => "RepeatBranch",
            33 => "ProgTraceCorrelation",
            34 => "InCircuitTrace",
            35 => "InCircuitTraceSync",
            _ => "passed over",
        }
    }

    /// The fields in their order. A history is a letter for each branch, the oldest first: t for one that is taken, n for one
    /// that is not.
    pub fn fields(&self) -> Vec<(&'static str, Field)> {
        let number = |name, value: u64| (name, Field::Number(value));
        let history = |value: u64| ("HIST", Field::Words(letters(value)));
        match *self {
            Body::Ownership { process } => vec![
                number("FORMAT", process & 3),
                number("PRV", process >> 2 & 3),
                number("V", process >> 4 & 1),
                ("CONTEXT", Field::Address(process >> 5)),
            ],
            Body::Error { kind, code } => {
                vec![number("ETYPE", kind.into()), number("ECODE", code)]
            }
            Body::Start { sync, count, address } => vec![
                number("SYNC", sync.into()),
                number("I-CNT", count),
                ("F-ADDR", Field::Address(address)),
            ],
            Body::Direct { sync, count } => {
                let mut fields: Vec<_> =
                    sync.iter().map(|(sync, _)| number("SYNC", (*sync).into())).collect();
                fields.push(number("I-CNT", count));
                fields.extend(sync.map(|(_, address)| ("F-ADDR", Field::Address(address))));
                fields
            }
            Body::Indirect { sync, branch_type, count, address, history: outcomes } => {
                let mut fields: Vec<_> =
                    sync.iter().map(|sync| number("SYNC", (*sync).into())).collect();
                fields.push(number("B-TYPE", branch_type.into()));
                fields.push(number("I-CNT", count));
                let name = if sync.is_some() { "F-ADDR" } else { "U-ADDR" };
                fields.push((name, Field::Address(address)));
                fields.extend(outcomes.map(history));
                fields
            }
            Body::CountFull { count } => vec![number("RCODE", 0), number("RDATA", count)],
            Body::HistoryFull { history: outcomes, repeats } => {
                let mut fields =
                    vec![number("RCODE", 1 + u64::from(repeats.is_some())), history(outcomes)];
                fields.extend(repeats.map(|repeats| number("HREPEAT", repeats)));
                fields
            }
            Body::Repeat { count } => vec![number("B-CNT", count)],
            Body::Correlation { event, count, history: outcomes } => {
                let mut fields = vec![number("EVCODE", event.into()), number("I-CNT", count)];
                fields.extend(outcomes.map(history));
                fields
            }
            Body::BranchesFull { taken, count } => {
                vec![number("RCODE", if taken { 9 } else { 8 }), number("RDATA", count)]
            }
            _ => self.data_fields(),
        }
    }

    /// Those of a message that is of no execution.
    fn data_fields(&self) -> Vec<(&'static str, Field)> {
        let number = |name, value: u64| (name, Field::Number(value));
        match *self {
            Body::DataAcquisition { tag, data } => {
                vec![number("IDTAG", tag), ("DQDATA", Field::Address(data))]
            }
            Body::AuxAccessWrite { address, data } => {
                vec![("ADDR", Field::Address(address)), ("DATA", Field::Address(data))]
            }
            Body::InCircuit { event, address, target, ref data, .. } => {
                let mut fields = vec![number("CKSRC", event.into())];
                let values = address.into_iter().chain(target).chain(data.iter().copied());
                fields.extend(values.map(|value| ("CKDATA", Field::Address(value))));
                fields
            }
            Body::Sample { sync, address } => {
                vec![number("SYNC", sync.into()), ("F-ADDR", Field::Address(address))]
            }
            Body::PassedOver { code } => vec![number("TCODE", code.into())],
            _ => Vec::new(),
        }
    }
}

fn letters(history: u64) -> String {
    let branches = history.checked_ilog2().unwrap_or(0);
    if branches == 0 {
        return "none".into();
    }
    (0..branches).rev().map(|place| if history >> place & 1 == 1 { 't' } else { 'n' }).collect()
}
