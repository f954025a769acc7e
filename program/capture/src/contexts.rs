//! The code of a machine: what ran at each address, in each context.

use tracewright_capture_plugin::wire::BlockDefinition;
use tracewright_image::Overlay;
use tracewright_image::changes::Changes;

use crate::changes::CodeHistory;
use crate::images::CodeRange;

/// The code that ran in some contexts.
#[derive(Clone, Debug, Default)]
pub struct ContextCode {
    /// The contexts in which nothing else was found at these addresses.
    pub contexts: Vec<u64>,
    /// The code, as ranges of memory.
    pub code: Vec<CodeRange>,
    /// The code that replaced other code.
    pub changes: Changes,
}

/// The code that ran so far.
#[derive(Debug, Default)]
pub(crate) struct MachineCode {
    blocks: Vec<(u64, BlockDefinition)>,
    contexts: Vec<Found>,
    /// The code of all contexts as if they were one, in which a switch to other code at the same addresses is a change.
    whole: Found,
}

/// The code that was found in a context.
#[derive(Debug, Default)]
struct Found {
    history: CodeHistory,
    /// For each block of the machine, one more than its number in `history`, 0 if it has not run here.
    numbers: Vec<u32>,
    /// For each block of `history`, true if its code may be another at some time.
    contested: Vec<bool>,
}

impl MachineCode {
    /// Adds a block, whose number is the next.
    pub(crate) fn add(&mut self, address: u64, definition: BlockDefinition) {
        self.blocks.push((address, definition));
    }

    /// Notes that a processor enters a block in a context; `event` is the number of the next event.
    pub(crate) fn enter(&mut self, context: u64, thread: u8, number: u32, event: u64) {
        let place = context as usize;
        if place >= self.contexts.len() {
            self.contexts.resize_with(place + 1, Found::default);
        }
        for found in [&mut self.contexts[place], &mut self.whole] {
            found.enter(&self.blocks, thread, number, event);
        }
    }

    /// The code of all contexts, those together that do not contradict each other; the first has context 0.
    pub(crate) fn finish(self) -> Vec<ContextCode> {
        let all: Vec<u64> = (0..self.contexts.len() as u64).collect();
        let mut groups: Vec<(Overlay, ContextCode)> = Vec::new();
        for (number, context) in self.contexts.into_iter().enumerate() {
            let (_, code, changes) = context.history.finish();
            if code.is_empty() && number > 0 {
                continue;
            }
            let fits = |(group, found): &&mut (Overlay, ContextCode)| {
                let is_fixed = changes.is_empty() && found.changes.is_empty();
                is_fixed && code.iter().all(|range| agrees(group, range))
            };
            let known = groups.iter_mut().find(fits);
            let (overlay, found) = match known {
                Some(group) => group,
                None => {
                    groups.push((Overlay::default(), ContextCode::default()));
                    let Some(group) = groups.last_mut() else { continue };
                    group
                }
            };
            code.iter().for_each(|(address, bytes)| overlay.write(*address, bytes, None));
            found.contexts.push(number as u64);
            found.changes = changes;
        }
        // Decoders do not follow changes in programs of contexts.
        if groups.len() > 1 && groups.iter().any(|(_, found)| !found.changes.is_empty()) {
            let (_, code, changes) = self.whole.history.finish();
            return vec![ContextCode { contexts: all, code, changes }];
        }
        let code = |(overlay, found): (Overlay, ContextCode)| ContextCode {
            code: overlay.ranges(),
            ..found
        };
        groups.into_iter().map(code).collect()
    }
}

impl Found {
    fn enter(&mut self, blocks: &[(u64, BlockDefinition)], thread: u8, number: u32, event: u64) {
        let Found { history, numbers, contested } = self;
        let index = number as usize;
        if numbers.len() <= index {
            numbers.resize(blocks.len(), 0);
        }
        if numbers[index] == 0 {
            let (address, definition) = &blocks[index];
            contested.push(false);
            numbers[index] = contested.len() as u32;
            history.add(*address, definition, |number| contested[number as usize] = true);
        }
        let own = numbers[index] - 1;
        if contested[own as usize] {
            history.enter(thread, own, event);
        }
    }
}

/// True if nothing else is known at the addresses of some code.
fn agrees(overlay: &Overlay, (address, bytes): &CodeRange) -> bool {
    (*address..=u64::MAX)
        .zip(bytes)
        .all(|(address, byte)| overlay.get(address).is_none_or(|(known, _)| known == *byte))
}
