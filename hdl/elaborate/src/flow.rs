//! What reaches what within a cycle: latches, reads before writes, undriven signals, combinational loops.

use crate::error::Error;
use crate::expression::{Expression, SignalId};
use crate::lower::Statement;
use crate::table::{PackedWord, Role, Table};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

type Sources = BTreeSet<SignalId>;

/// What the kernel has done to a target so far.
#[derive(Clone, Debug)]
struct Fact {
    /// Whether every path has written it.
    written: bool,
    /// The signals from outside the kernel that its value depends on.
    sources: Rc<Sources>,
}

/// The facts at one point of the kernel: those of the branch over those of what surrounds it.
struct State<'a> {
    outer: Option<&'a State<'a>>,
    facts: BTreeMap<SignalId, Fact>,
}

impl State<'_> {
    fn fact(&self, signal: SignalId) -> Option<&Fact> {
        self.facts.get(&signal).or_else(|| self.outer.and_then(|outer| outer.fact(signal)))
    }
}

/// Checks the statements of a block; returns the inputs that reach each of its signals within a cycle.
pub(crate) fn check(statements: &[Statement], table: &Table) -> Result<Vec<Sources>, Error> {
    let flow = Flow { table };
    let mut state = State { outer: None, facts: BTreeMap::new() };
    flow.block(statements, &mut state, &Sources::new())?;
    // A field of a packed word inside the block that the configuration leaves out whole.
    let is_absent = |part: SignalId| {
        table.packed.iter().any(|PackedWord { word, parts }| {
            table.signals[*word].role == Role::Local
                && parts.contains(&part)
                && parts.iter().all(|part| state.fact(*part).is_none())
        })
    };
    let mut edges: Vec<Vec<SignalId>> = vec![Vec::new(); table.signals.len()];
    for (signal, found) in table.signals.iter().enumerate() {
        if !found.role.is_target() || found.width == 0 {
            continue;
        }
        match state.fact(signal) {
            Some(fact) if fact.written => edges[signal].extend(fact.sources.iter()),
            Some(_) => return Err(Error::Latch { signal: table.signal_path(signal) }),
            // A local that nobody reads either is simply not there.
            None if found.role == Role::Local => {}
            None if is_absent(signal) => {}
            None => return Err(Error::Undriven { signal: table.signal_path(signal) }),
        }
    }
    for memory in table.memories.iter().filter(|memory| !memory.synchronous) {
        for (address, data) in &memory.reads {
            edges[*data].push(*address);
        }
    }
    for child in &table.children {
        let by_key: BTreeMap<&str, SignalId> = child
            .interface
            .ports
            .iter()
            .zip(&child.ports)
            .map(|(port, signal)| (port.key.as_str(), *signal))
            .collect();
        for (port, signal) in child.interface.ports.iter().zip(&child.ports) {
            edges[*signal].extend(port.depends.iter().filter_map(|key| by_key.get(key.as_str())));
        }
    }
    Reach { table, edges, reached: vec![None; table.signals.len()], open: Vec::new() }.all()
}

struct Flow<'a> {
    table: &'a Table,
}

impl Flow<'_> {
    fn sources(&self, expression: &Expression, state: &State<'_>) -> Result<Sources, Error> {
        let mut sources = Sources::new();
        let mut unwritten = None;
        expression.reads(&mut |signal, _| {
            if !self.table.signals[signal].role.is_target() {
                sources.insert(signal);
                return;
            }
            match state.fact(signal) {
                Some(fact) if fact.written => sources.extend(fact.sources.iter()),
                _ => unwritten = unwritten.or(Some(signal)),
            }
        });
        match unwritten {
            Some(signal) => Err(Error::ReadBeforeWrite { signal: self.table.signal_path(signal) }),
            None => Ok(sources),
        }
    }

    /// Refuses a packed word that is put together before every path has written each of its fields.
    fn has_all_fields(&self, word: SignalId, state: &State<'_>) -> Result<(), Error> {
        let packed = self.table.packed.iter().filter(|packed| packed.word == word);
        for part in packed.flat_map(|packed| &packed.parts) {
            let signal = || self.table.signal_path(*part);
            match state.fact(*part) {
                Some(fact) if fact.written => {}
                Some(_) => return Err(Error::Latch { signal: signal() }),
                None => return Err(Error::Undriven { signal: signal() }),
            }
        }
        Ok(())
    }

    fn block(
        &self,
        statements: &[Statement],
        state: &mut State<'_>,
        guards: &Sources,
    ) -> Result<(), Error> {
        for statement in statements {
            match statement {
                Statement::Assign { target, value } => {
                    self.has_all_fields(*target, state)?;
                    let mut sources = self.sources(value, state)?;
                    sources.extend(guards);
                    state.facts.insert(*target, Fact { written: true, sources: Rc::new(sources) });
                }
                Statement::If { arms, otherwise } => {
                    let mut guards = guards.clone();
                    for (condition, _) in arms {
                        guards.extend(self.sources(condition, state)?);
                    }
                    let bodies = arms.iter().map(|(_, body)| body);
                    self.branches(bodies, otherwise, state, &guards)?;
                }
                Statement::Case { subject, arms, otherwise } => {
                    let mut guards = guards.clone();
                    guards.extend(self.sources(subject, state)?);
                    let bodies = arms.iter().map(|(_, body)| body);
                    self.branches(bodies, otherwise, state, &guards)?;
                }
            }
        }
        Ok(())
    }

    fn branches<'b>(
        &self,
        bodies: impl Iterator<Item = &'b Vec<Statement>>,
        otherwise: &'b Vec<Statement>,
        state: &mut State<'_>,
        guards: &Sources,
    ) -> Result<(), Error> {
        let mut ends = Vec::new();
        for body in bodies.chain([otherwise]) {
            let mut inner = State { outer: Some(state), facts: BTreeMap::new() };
            self.block(body, &mut inner, guards)?;
            ends.push(inner.facts);
        }
        let touched: BTreeSet<SignalId> =
            ends.iter().flat_map(|facts| facts.keys().copied()).collect();
        for signal in touched {
            let mut written = true;
            let mut sources = guards.clone();
            for facts in &ends {
                let fact = facts.get(&signal).or_else(|| state.fact(signal));
                written &= fact.is_some_and(|fact| fact.written);
                sources.extend(fact.iter().flat_map(|fact| fact.sources.iter()));
            }
            state.facts.insert(signal, Fact { written, sources: Rc::new(sources) });
        }
        Ok(())
    }
}

/// A walk from every signal against the flow, down to the block's inputs.
struct Reach<'a> {
    table: &'a Table,
    edges: Vec<Vec<SignalId>>,
    reached: Vec<Option<Rc<Sources>>>,
    open: Vec<SignalId>,
}

impl Reach<'_> {
    fn all(mut self) -> Result<Vec<Sources>, Error> {
        (0..self.edges.len())
            .map(|signal| self.visit(signal).map(|inputs| inputs.as_ref().clone()))
            .collect()
    }

    fn visit(&mut self, signal: SignalId) -> Result<Rc<Sources>, Error> {
        if let Some(known) = &self.reached[signal] {
            return Ok(known.clone());
        }
        if let Some(start) = self.open.iter().position(|open| *open == signal) {
            // The walk went against the flow; a reader follows it.
            let mut around: Vec<SignalId> = self.open[start..].iter().rev().copied().collect();
            around.insert(0, signal);
            let signals = around.into_iter().map(|signal| self.table.signal_path(signal)).collect();
            return Err(Error::CombinationalLoop { signals });
        }
        self.open.push(signal);
        let mut inputs = Sources::new();
        if self.table.signals[signal].role == Role::Input {
            inputs.insert(signal);
        }
        for source in std::mem::take(&mut self.edges[signal]) {
            inputs.extend(self.visit(source)?.iter());
        }
        self.open.pop();
        let inputs = Rc::new(inputs);
        self.reached[signal] = Some(inputs.clone());
        Ok(inputs)
    }
}
