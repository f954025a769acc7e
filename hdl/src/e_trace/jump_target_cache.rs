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

impl Logic for JumpTargetCache {
    #[hdl_gen]
    fn update(&mut self) {
        self.index.next = bits_to(self.target.val(), self.index.width());
        self.tag.next = bits_to(self.target.val() >> self.index_bits.val(), self.tag.width());
        self.tags.read_address.next = bits_to(self.target.val(), self.index.width());
        self.is_written.next =
            bits_to(self.written.q.val() >> bits_to(self.target.val(), self.index.width()), 1);
        self.hit.next = 0.into();
        if self.tags.read_data.val() == self.tag.val() {
            self.hit.next = self.is_written.val();
        }
        self.tags.write_enable.next = self.keep.val();
        self.tags.write_address.next = bits_to(self.target.val(), self.index.width());
        self.tags.write_data.next = self.tag.val();
        if self.forget.val().any() {
            self.written.d.next = 0.into();
        } else if self.keep.val().any() {
            self.written.d.next = self.written.q.val()
                | (self.one.val() << bits_to(self.target.val(), self.index.width()));
        }
    }
}
