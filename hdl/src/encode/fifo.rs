//! A FIFO of words: the record queue and the output buffer.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;

/// Words in their order, the oldest shown at once.
#[derive(LogicBlock)]
pub struct Fifo {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// There is a word to put in.
    pub in_valid: Wire<In>,
    /// That word.
    pub in_word: Wire<In>,
    /// There is room for it; from registers alone.
    pub in_ready: Wire<Out>,
    /// There is a word to take out.
    pub out_valid: Wire<Out>,
    /// The oldest word.
    pub out_word: Wire<Out>,
    /// It is taken.
    pub out_ready: Wire<In>,
    /// Words held.
    pub level: Wire<Out>,
    words: Memory,
    write_pointer: Reg,
    read_pointer: Reg,
    held: Reg,
    puts: Wire<Local>,
    takes: Wire<Local>,
    has_reserve: Param,
    depth: Param,
    last: Param,
}

impl Fifo {
    /// A FIFO of `depth` words of `width` bits.
    pub fn new(depth: usize, width: usize) -> Self {
        Self::with_reserve(depth, 0, width)
    }

    /// The same with room for `reserve` words more, which may come after `in_ready` has fallen.
    pub fn with_reserve(depth: usize, reserve: usize, width: usize) -> Self {
        let all = depth + reserve;
        let pointer_bits = index_bits(all as u32) as usize;
        let level_bits = Self::level_bits(all);
        let mut parameters = vec![("depth", depth), ("width", width)];
        if reserve > 0 {
            parameters.push(("reserve", reserve));
        }
        Self {
            kind: Kind::new("fifo", parameters),
            domain: Domain::new(),
            in_valid: Wire::new(1),
            in_word: Wire::new(width),
            in_ready: Wire::new(1),
            out_valid: Wire::new(1),
            out_word: Wire::new(width),
            out_ready: Wire::new(1),
            level: Wire::new(level_bits).describe("words held"),
            words: Memory::new(all, width),
            write_pointer: Reg::new(pointer_bits, 0),
            read_pointer: Reg::new(pointer_bits, 0),
            held: Reg::new(level_bits, 0),
            puts: Wire::new(1),
            takes: Wire::new(1),
            has_reserve: Param::new(usize::from(reserve > 0)),
            depth: Param::new(depth),
            last: Param::new(all - 1),
        }
    }

    /// Width of `level` for `depth` words.
    pub fn level_bits(depth: usize) -> usize {
        index_bits(depth as u32 + 1) as usize
    }
}

impl Logic for Fifo {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, write_pointer, read_pointer, held);
        clock!(self, domain, words);
        self.out_valid.next = bits_to(self.held.q.val().any(), 1);
        if self.has_reserve.val() == 1 {
            self.in_ready.next = bits_to(self.held.q.val() < self.depth.val(), 1);
            self.puts.next = self.in_valid.val();
        } else {
            self.in_ready.next = bits_to(self.held.q.val() != self.depth.val(), 1);
            self.puts.next = self.in_valid.val() & self.in_ready.val();
        }
        self.takes.next = self.out_ready.val() & self.out_valid.val();
        self.level.next = self.held.q.val();

        self.words.read_address.next = self.read_pointer.q.val();
        self.out_word.next = self.words.read_data.val();
        self.words.write_enable.next = self.puts.val();
        self.words.write_address.next = self.write_pointer.q.val();
        self.words.write_data.next = self.in_word.val();

        if self.puts.val().any() {
            self.write_pointer.d.next = self.write_pointer.q.val() + 1;
            if self.write_pointer.q.val() == self.last.val() {
                self.write_pointer.d.next = 0.into();
            }
        }
        if self.takes.val().any() {
            self.read_pointer.d.next = self.read_pointer.q.val() + 1;
            if self.read_pointer.q.val() == self.last.val() {
                self.read_pointer.d.next = 0.into();
            }
        }
        if self.puts.val() > self.takes.val() {
            self.held.d.next = self.held.q.val() + 1;
        } else if self.takes.val() > self.puts.val() {
            self.held.d.next = self.held.q.val() - 1;
        }
    }
}
