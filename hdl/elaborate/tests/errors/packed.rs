//! Packed words and bundles that do not fit.

use tracewright_elaborate::prelude::*;
use tracewright_elaborate::{Options, elaborate};

packed! {
    Record of (count_bits: usize);
    taken: 1;
    count: count_bits;
}

bundle! {
    Stream of (bits: usize);
    forward valid: 1;
    forward word: bits;
    backward ready: 1;
}

block! {
    /// A sub-block with packed words and bundles at its pins.
    Relay("relay") of ();

    in record: Record(4);
    out sent: Record(4);
    in source: Stream(4);
    out sink: Stream(4);
}

impl Logic for Relay {
    #[hdl_gen]
    fn update(&mut self) {
        self.sent.taken.next = self.record.taken.val();
        self.sent.count.next = self.record.count.val();
        connect::join(&mut self.source, &mut self.sink);
    }
}

refused!(
    a_packed_word_for_one_of_another_width,
    { in record: Record(5); block relay: Relay(); },
    {
        #[hdl_gen]
        fn update(&mut self) { self.relay.record.next = self.record.val(); }
    },
    "top.relay.record has 5 bits and cannot take `record`, which has 6",
);

refused!(
    a_field_of_another_width,
    { in count: 5; out record: Record(4); },
    {
        #[hdl_gen]
        fn update(&mut self) { self.record.count.next = self.count.val(); }
    },
    "top.record.count has 4 bits and cannot take `count`, which has 5",
);

refused!(
    a_field_that_is_not_written,
    { in count: 4; out record: Record(4); },
    {
        #[hdl_gen]
        fn update(&mut self) { self.record.count.next = self.count.val(); }
    },
    "top.record.taken is not driven",
);

refused!(
    a_field_that_is_a_latch,
    { in count: 4; out record: Record(4); },
    {
        #[hdl_gen]
        fn update(&mut self) {
            self.record.taken.next = false.into();
            if self.count.val().any() {
                self.record.count.next = self.count.val();
            }
        }
    },
    "top.record.count is a latch: some path through the kernel does not write it; write a default first",
);

refused!(
    a_word_read_before_its_last_field_is_written,
    { in count: 4; local record: Record(4); out word: 5; },
    {
        #[hdl_gen]
        fn update(&mut self) {
            self.record.count.next = self.count.val();
            self.word.next = self.record.val();
            self.record.taken.next = true.into();
        }
    },
    "top.record is read before it is written",
);

refused!(
    a_word_written_whole_and_by_its_fields,
    { in word: 5; out record: Record(4); },
    {
        #[hdl_gen]
        fn update(&mut self) { self.record.next = self.word.val(); }
    },
    "top.record is made of its fields; write those",
);

refused!(
    a_field_of_an_input_that_is_written,
    { in record: Record(4); },
    {
        #[hdl_gen]
        fn update(&mut self) { self.record.taken.next = true.into(); }
    },
    "top.record.taken is a field of a word that arrives whole; write the word",
);

refused!(
    a_field_of_the_input_of_a_sub_block,
    { block relay: Relay(); out count: 4; },
    {
        #[hdl_gen]
        fn update(&mut self) {
            self.relay.record.next = 0.into();
            self.count.next = self.relay.record.count.val();
        }
    },
    "top.relay.record.count cannot be read here: it is an input; read the local that drives it",
);

refused!(
    a_view_that_is_written_again,
    { in word: 5; view record: Record(4); out count: 4; },
    {
        #[hdl_gen]
        fn update(&mut self) {
            self.record.next = self.word.val();
            self.count.next = self.record.count.val();
            self.record.next = !self.word.val();
        }
    },
    "top.record is written after one of its fields is read",
);

refused!(
    bundles_of_different_widths,
    { in source: Stream(8); block relay: Relay(); },
    {
        #[hdl_gen]
        fn update(&mut self) {
            self.relay.record.next = 0.into();
            connect::join(&mut self.source, &mut self.relay.source);
        }
    },
    "top.relay.source.word has 4 bits and cannot take `source.word`, which has 8",
);

refused!(
    bundles_joined_the_wrong_way,
    { out sink: Stream(4); block relay: Relay(); },
    {
        #[hdl_gen]
        fn update(&mut self) {
            self.relay.record.next = 0.into();
            connect::join(&mut self.sink, &mut self.relay.sink);
        }
    },
    "top.relay.sink.valid is driven from elsewhere and by the kernel too",
);

refused!(
    bundles_joined_under_a_condition,
    { in open: 1; in source: Stream(4); block relay: Relay(); },
    {
        #[hdl_gen]
        fn update(&mut self) {
            self.relay.record.next = 0.into();
            if self.open.val().any() {
                connect::join(&mut self.source, &mut self.relay.source);
            }
        }
    },
    "top: bundles joined under a condition cannot be written as Verilog",
);

refused!(
    a_member_that_is_not_driven,
    { in source: Stream(4); out valid: 1; },
    {
        #[hdl_gen]
        fn update(&mut self) { self.valid.next = self.source.valid.val(); }
    },
    "top.source.ready is not driven",
);
