//! A reader of the ring of a RAM sink by a serial line.

use tracewright_elaborate::prelude::*;
use tracewright_sim::pins::control;
use tracewright_sim::sinks::uart_reader::{
    CYCLES_BITS, FIRST_OF_DUMP, POLYNOMIAL, Step, steps, words_bits,
};

/// The place of the step for which this holds.
fn place(steps: &[Step], is_it: impl Fn(&Step) -> bool) -> usize {
    steps.iter().position(is_it).unwrap_or(steps.len())
}

block! {
    /// Traces, and sends the ring of a RAM sink by a serial line while tracing is stopped.
    ///
    /// It does one step after the other. A step is an access of the bus, after which a bit is waited for or the word is
    /// sent, or a word of its own.
    pub UartReader("uart_reader") of (ring_bytes: u32) {
        let list = steps(ring_bytes);
        let words_bits = words_bits(ring_bytes) as usize;
        let bit = |value: bool| Word::new(1, u64::from(value));
        let awaits = |step: &Step, wanted: u32| matches!(step, Step::Await { bit, .. } if *bit == wanted);
        let mark = |at: usize| match list[at] {
            Step::SendMark(mark) => mark,
            _ => 0,
        };
    }
    parameters {
        ring_bytes = ring_bytes as usize,
    }

    #[remark(control::CYCLES_PER_BIT.meaning)]
    in cycles_per_bit: CYCLES_BITS;
    #[remark(control::UART_STOP.meaning)]
    in stop: 1;
    #[remark(control::UART_READY.meaning)]
    out ready: 1;
    #[remark(control::UART_TX.meaning)]
    out uart_tx: 1;
    out psel: 1;
    out penable: 1;
    out pwrite: 1;
    out paddr: 16;
    out pwdata: 32;
    in pready: 1;
    in prdata: 32;
    reg step: 5;
    reg has_traced: 1;
    reg is_selected: 1;
    reg is_enabled: 1;
    /// words of the memory that are to be sent: all of a ring that has wrapped, otherwise what was written
    reg words: words_bits;
    reg word: 32;
    reg crc: 32;
    /// bytes of the word that are not sent yet
    reg bytes: 3;
    /// place in the byte: 0 is the start bit, 9 the stop bit
    reg place: 4;
    /// cycles of this bit that are left after this one
    reg cycles: CYCLES_BITS;
    reg is_pause: 1;
    /// from a register, so that nothing of the logic is seen on the line
    reg line: 1 = 1;
    /// one hot: the step at hand
    local at_step: list.len();
    local address: 16;
    local written: 32;
    local is_write: 1;
    /// the step has an access of the bus
    local has_access: 1;
    /// the step sends a word
    local sends: 1;
    local awaits_first: 1;
    local awaits_fourth: 1;
    local is_answered: 1;
    local is_idle: 1;
    local is_data: 1;
    local is_bit_over: 1;
    local is_stop_bit: 1;
    local begins_word: 1;
    local is_done: 1;
    /// the memory has another word
    local repeats: 1;
    /// words that were written of a ring that has not wrapped
    local written_words: words_bits - 1;
    /// the polynomial of the checksum is to be added
    local feeds_back: 1;
    constant trace: 5 = place(&list, |step| *step == Step::Trace) as u64;
    constant first_mark: 5 = FIRST_OF_DUMP as u64;
    constant second_mark: 5 = FIRST_OF_DUMP as u64 + 1;
    constant fingerprint: 5 = place(&list, |step| matches!(step, Step::SendFirst { .. })) as u64;
    constant pointer: 5 = place(&list, |step| matches!(step, Step::SendPointer { .. })) as u64;
    constant length: 5 = place(&list, |step| *step == Step::SendLength) as u64;
    constant memory: 5 = place(&list, |step| matches!(step, Step::SendMemory { .. })) as u64;
    constant checksum: 5 = place(&list, |step| *step == Step::SendChecksum) as u64;
    constant pause: 5 = place(&list, |step| *step == Step::Pause) as u64;
    constant last_place: 4 = 9;
    constant all_words: words_bits = u64::from(ring_bytes / 4);
    param addresses = Word::new(16, u64::from(step.address().unwrap_or(0))) for step in &list;
    param values = Word::new(32, if let Step::Write { value, .. } = step { u64::from(*value) } else { 0 }) for step in &list;
    param writes = bit(matches!(step, Step::Write { .. })) for step in &list;
    param accesses = bit(step.address().is_some()) for step in &list;
    param sending = bit(step.sends()) for step in &list;
    param awaiting_first = bit(awaits(step, 0)) for step in &list;
    param awaiting_fourth = bit(awaits(step, 3)) for step in &list;
    param mark_words = Word::new(32, u64::from(mark(FIRST_OF_DUMP + at))) for at in 0..2;
    param polynomial = Word::new(32, u64::from(POLYNOMIAL));
    param ones = Word::new(32, u64::from(u32::MAX));
}

#[kernel]
impl Logic for UartReader {
    fn update(&mut self) {
        // What the step does.
        address = 0;
        written = 0;
        is_write = 0;
        has_access = 0;
        sends = 0;
        awaits_first = 0;
        awaits_fourth = 0;
        at_step = 0;
        for at in 0..at_step.width() {
            if step.q == at {
                at_step = at_step.replace_bit(at, true);
                address = addresses[at];
                written = values[at];
                is_write = writes[at];
                has_access = accesses[at];
                sends = sending[at];
                awaits_first = awaiting_first[at];
                awaits_fourth = awaiting_fourth[at];
            }
        }
        if step.q == memory && !words.q {
            has_access = 0;
            sends = 0;
        }

        // The bus. A word is read when the one before it has left.
        psel = is_selected.q;
        penable = is_enabled.q;
        pwrite = is_write;
        paddr = address;
        pwdata = written;
        is_answered = is_enabled.q & pready;
        is_idle = !bit(bytes.q);
        is_selected.d = has_access & !is_answered & (!sends | is_idle);
        is_enabled.d = is_selected.q & !is_answered;

        // When the next step comes.
        begins_word = sends & is_idle & (is_answered | !has_access);
        is_done = 1;
        if has_access {
            is_done = is_answered;
            if awaits_first {
                is_done = is_answered & bit(prdata.get_bit(0));
            }
            if awaits_fourth {
                is_done = is_answered & bit(prdata.get_bit(3));
            }
        } else if sends {
            is_done = is_idle;
        } else if step.q == trace {
            is_done = stop;
        }
        written_words = resized(prdata >> 2);
        repeats = bit(step.q == memory) & bit(words.q >> 1);
        if is_done & !repeats {
            step.d = step.q + 1;
            if step.q == pause {
                step.d = 0;
                if stop {
                    step.d = first_mark;
                }
            }
        }
        if step.q == pointer && is_answered {
            words.d = resized(written_words);
            if prdata.get_bit(0) {
                words.d = all_words;
            }
        } else if step.q == memory && is_answered {
            words.d = words.q - 1;
        }
        if step.q == trace {
            has_traced.d = 1;
        }
        ready = has_traced.q;

        // The line: a word is four bytes, the lowest one first, each with a start bit before and a stop bit after it.
        feeds_back = bit(crc.q.get_bit(0)) ^ bit(word.q.get_bit(0));
        is_stop_bit = place.q == last_place;
        is_data = bit(place.q) & !is_stop_bit;
        is_bit_over = !bit(cycles.q);
        line.d = is_idle | is_pause.q | is_stop_bit | (is_data & bit(word.q.get_bit(0)));
        uart_tx = line.q;
        if begins_word {
            word.d = prdata;
            if step.q == first_mark {
                word.d = mark_words[0];
            } else if step.q == second_mark {
                word.d = mark_words[1];
            } else if step.q == length {
                word.d = resized(words.q, word.width()) << 2;
            } else if step.q == checksum {
                word.d = !crc.q;
            }
            bytes.d = 4;
            cycles.d = cycles_per_bit - 1;
            is_pause.d = step.q == pause;
        } else if !is_idle {
            cycles.d = cycles.q - 1;
            if is_bit_over {
                cycles.d = cycles_per_bit - 1;
                place.d = place.q + 1;
                if is_stop_bit {
                    place.d = 0;
                    bytes.d = bytes.q - 1;
                }
                if is_data {
                    word.d = word.q >> 1;
                    crc.d = crc.q >> 1;
                    if feeds_back {
                        crc.d = (crc.q >> 1) ^ polynomial;
                    }
                }
            }
        } else if step.q == fingerprint {
            crc.d = ones;
        }
    }
}
