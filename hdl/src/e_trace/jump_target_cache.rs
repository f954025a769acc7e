//! The targets of jumps that are in the trace since the last start or trap.

use tracewright_elaborate::prelude::*;
use tracewright_sim::e_trace::config::Config;

block! {
    /// Says whether a target was sent before, and keeps it.
    ///
    /// A bit for each entry says that it was written, so no entry is used before, and all are forgotten at once.
    pub JumpTargetCache("jump_target_cache") of (config: &Config) {
        let entries = config.jump_target_cache_entries.max(2) as usize;
        let index_bits = config.index_bits().max(1) as usize;
        let tag_bits = config.address_bits() as usize - index_bits;
    }
    parameters {
        entries,
        tag_bits,
    }

    /// a jump's target is sent
    in keep: 1;
    /// the target, in instruction units
    in target: config.address_bits();
    /// the trace goes on with a start or a trap
    in forget: 1;
    /// where the target is
    out index: index_bits;
    /// it was there
    out hit: 1;
    /// the entries that were written
    reg written: entries;
    local is_written: 1;
    local tag: tag_bits;
    memory tags: [tag_bits; entries];
    param index_bits = index_bits;
    param one = Word::new(entries, 1);
}

#[kernel]
impl Logic for JumpTargetCache {
    fn update(&mut self) {
        index = resized(target);
        tag = resized(target >> index_bits);
        tags.read_address = resized(target);
        is_written = resized(written.q >> resized(target, index.width()), 1);
        hit = 0;
        if tags.read_data == tag {
            hit = is_written;
        }
        tags.write_enable = keep;
        tags.write_address = resized(target);
        tags.write_data = tag;
        if forget {
            written.d = 0;
        } else if keep {
            written.d = written.q | (one << resized(target, index.width()));
        }
    }
}
