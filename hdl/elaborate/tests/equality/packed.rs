//! Words with named fields.

use crate::bench;
use crate::harness::compare;
use tracewright_elaborate::prelude::*;

packed! {
    /// A record whose fields a configuration may lack.
    Record of (count_bits: usize, target_bits: usize);
    taken: 1;
    /// instructions since the last record
    count: count_bits;
    target: target_bits;
}

packed! {
    /// A word of one field.
    Single of (bits: usize);
    only: bits;
}

const SHAPES: [(usize, usize); 5] = [(3, 8), (0, 8), (7, 0), (0, 0), (64, 70)];

block! {
    /// Assembles a record at its output; the count is written under a condition and read back.
    Former("former") of (count_bits: usize, target_bits: usize);
    parameters { count_bits, target_bits }

    in taken: 1;
    in count: count_bits;
    in target: target_bits;
    out record: Record(count_bits, target_bits);
    out count_twice: count_bits;
}

#[kernel]
impl Logic for Former {
    fn update(&mut self) {
        record = Record { taken, count };
        if taken {
            record.count = count ^ resized(target, count.width());
        }
        record.target = target;
        count_twice = record.count + record.count;
    }
}

bench!(Former, [taken, count, target], [record, count_twice]);

#[test]
fn a_word_is_assembled_at_an_output() {
    for (count_bits, target_bits) in SHAPES {
        compare(Former::new(count_bits, target_bits));
    }
}

#[test]
fn fields_have_names_in_the_verilog_where_they_need_them() {
    let verilog = compare(Former::new(3, 8));
    let text = &verilog.modules[0].text;
    assert!(text.contains("output wire [11:0] record"), "{text}");
    assert!(text.contains("assign record = {target, record_count, taken};"), "{text}");
}

block! {
    /// Reads a record at its input by its fields.
    Reader("reader") of (count_bits: usize, target_bits: usize);
    parameters { count_bits, target_bits }

    in record: Record(count_bits, target_bits);
    out count: count_bits;
    out target: target_bits;
    out whole: count_bits + target_bits + 1;
}

#[kernel]
impl Logic for Reader {
    fn update(&mut self) {
        count = record.count;
        target = record.target;
        if record.taken {
            target = !record.target;
        }
        whole = record;
    }
}

bench!(Reader, [record], [count, target, whole]);

#[test]
fn a_word_is_read_at_an_input() {
    for (count_bits, target_bits) in SHAPES {
        compare(Reader::new(count_bits, target_bits));
    }
}

block! {
    /// Sends a record through a sub-block, a register, a local and a view.
    Passage("passage") of (count_bits: usize, target_bits: usize) {
        let width = count_bits + target_bits + 1;
    }
    parameters { count_bits, target_bits }

    in taken: 1;
    in count: count_bits;
    in target: target_bits;
    out count_now: count_bits;
    out target_later: target_bits;
    out swapped: Record(count_bits, target_bits);
    out field_of_former: target_bits;
    block former: Former(count_bits, target_bits);
    block reader: Reader(count_bits, target_bits);
    reg stored: width;
    view later: Record(count_bits, target_bits);
    local assembled: Record(count_bits, target_bits);
}

#[kernel]
impl Logic for Passage {
    fn update(&mut self) {
        former = Former { taken, count, target };
        stored.d = former.record;

        later = stored.q;
        assembled = Record { taken: !later.taken, count: later.count, target: later.target };
        if later.taken {
            assembled = Record { count, target };
        }
        reader.record = assembled;

        count_now = reader.count;
        target_later = reader.target;
        field_of_former = former.record.target;
        swapped = Record { taken, count: later.count, target: assembled.target };
    }
}

bench!(Passage, [taken, count, target], [count_now, target_later, swapped, field_of_former]);

#[test]
fn a_word_goes_through_sub_blocks_registers_locals_and_views() {
    for (count_bits, target_bits) in SHAPES {
        compare(Passage::new(count_bits, target_bits));
    }
}

block! {
    /// Words of one field, in a list.
    Singles("singles") of (bits: usize);
    parameters { bits }

    in words: Single(bits) for _ in 0..2;
    out sum: Single(bits);
}

#[kernel]
impl Logic for Singles {
    fn update(&mut self) {
        sum.only = words[0].only;
        for i in 1..words.len() {
            sum.only = sum.only + words[i].only;
        }
    }
}

impl crate::harness::Bench for Singles {
    fn inputs(&mut self) -> Vec<(String, usize, &mut Word)> {
        let named = |(index, word): (usize, _)| {
            let word: &mut Single<In> = word;
            (format!("words_{index}"), word.width(), &mut word.next)
        };
        self.words.iter_mut().enumerate().map(named).collect()
    }

    fn outputs(&self) -> Vec<(String, Word)> {
        vec![("sum".into(), self.sum.val())]
    }
}

#[test]
fn words_of_one_field() {
    for bits in [1, 9, 64, 65] {
        compare(Singles::new(bits));
    }
}

#[test]
fn the_fields_in_order() {
    assert_eq!(Record::<In>::FIELDS, ["taken", "count", "target"]);
    assert_eq!(Record::<Out>::new(3, 8).width(), 12);
}
