//! The fields of a payload by their names in the specification.

use super::payload::{Address, Depth, Payload, State};

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// A number.
    Number(u64),
    /// An address, or another number that is better read in hexadecimal.
    Address(u64),
    /// The difference of two addresses.
    Difference(i64),
    /// One of several words, or several of them.
    Words(String),
}

impl Payload {
    /// The fields in their order. Flags are there where they are set, and a map of branches is a letter for each, the oldest
    /// first: t for one that is taken, n for one that is not.
    pub fn fields(&self) -> Vec<(&'static str, Field)> {
        let mut fields = Fields(Vec::new());
        match self {
            Payload::BranchCount { predicted, fails, address } => {
                fields.number("predicted", *predicted);
                fields.flag("fails", *fails);
                fields.address(*address);
            }
            Payload::JumpTarget { index, branches, map, depth } => {
                fields.number("index", *index);
                fields.map(*branches, *map);
                fields.depth(*depth);
            }
            Payload::Branches { branches, map, address } => {
                fields.map(*branches, *map);
                fields.address(*address);
            }
            Payload::Address(address) => fields.address(Some(*address)),
            Payload::Start { taken, state, address } => {
                fields.push("address", Field::Address(*address));
                fields.flag("taken", *taken);
                fields.state(*state);
            }
            Payload::Trap { taken, state, cause, interrupt, thaddr, address, tval } => {
                fields.number("ecause", *cause);
                fields.flag("interrupt", *interrupt);
                fields.number("thaddr", u64::from(*thaddr));
                fields.push("address", Field::Address(*address));
                fields.flag("taken", *taken);
                if let Some(tval) = tval {
                    fields.push("tval", Field::Address(*tval));
                }
                fields.state(*state);
            }
            Payload::Context(state) => fields.state(*state),
            Payload::Support { ienable, encoder_mode, qual_status, ioptions } => {
                fields.number("ienable", u64::from(*ienable));
                fields.number("encoder_mode", *encoder_mode);
                fields.push("qual_status", Field::Words(qual_status.name().to_owned()));
                let names: Vec<_> = ioptions.iter().map(|option| option.name()).collect();
                if !names.is_empty() {
                    fields.push("ioptions", Field::Words(names.join(" ")));
                }
            }
        }
        fields.0
    }
}

struct Fields(Vec<(&'static str, Field)>);

impl Fields {
    fn push(&mut self, name: &'static str, field: Field) {
        self.0.push((name, field));
    }

    fn number(&mut self, name: &'static str, value: u64) {
        self.push(name, Field::Number(value));
    }

    fn flag(&mut self, name: &'static str, is_set: bool) {
        if is_set {
            self.number(name, 1);
        }
    }

    fn map(&mut self, branches: u32, map: u32) {
        if branches > 0 {
            let letter = |place| if map >> place & 1 == 0 { 't' } else { 'n' };
            self.push("branch_map", Field::Words((0..branches).map(letter).collect()));
        }
    }

    fn depth(&mut self, depth: Option<Depth>) {
        if let Some(depth) = depth {
            self.number("irdepth", depth);
        }
    }

    fn address(&mut self, address: Option<Address>) {
        let Some(Address { address, notify, updiscon, depth }) = address else { return };
        self.push("address", Field::Difference(address as i64));
        self.flag("notify", notify);
        self.flag("updiscon", updiscon);
        self.depth(depth);
    }

    fn state(&mut self, state: State) {
        self.number("privilege", state.privilege.into());
        if let Some(time) = state.time {
            self.number("time", time);
        }
        if state.context != 0 {
            self.push("context", Field::Address(state.context));
        }
    }
}
