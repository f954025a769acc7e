//! Records into bits: one piece a clock, or one whole record a clock.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::encode::variable_length::Chunks;
use tracewright_sim::traptor::config::Config;
use tracewright_sim::traptor::layout::{EXTENDED_BITS, Extended};

use super::layout::{RecordFields, RecordWord};
use crate::encode::bit_packer::BitPacker;
use crate::encode::variable_length::{ChunkSelector, VariableLength, chunk_index_bits};

/// The most bits that the encoder of `config` hands over in one clock.
pub fn piece_most_bits(config: &Config) -> usize {
    let fields =
        [config.branch_count_chunks(), config.instruction_count_chunks(), config.target_chunks()];
    let bits = if config.port.is_parallel() {
        fields.iter().map(Chunks::most_bits).sum::<u32>()
            + EXTENDED_BITS
            + 2
            + overflow_bits(config)
    } else {
        fields.iter().map(|chunks| chunks.first.max(chunks.next) + 1).fold(EXTENDED_BITS, u32::max)
    };
    bits as usize
}

/// Bits of an instruction count overflow: the escape and its code.
fn overflow_bits(config: &Config) -> u32 {
    let chunks = config.branch_count_chunks();
    chunks.first + chunks.next + 2 + EXTENDED_BITS
}

fn parameters(config: &Config) -> Vec<(&'static str, usize)> {
    let mut parameters = Vec::new();
    let fields = [
        (
            ["branch_count_first", "branch_count_next", "branch_count_bits"],
            config.branch_count_chunks(),
        ),
        (
            ["instruction_count_first", "instruction_count_next", "instruction_count_bits"],
            config.instruction_count_chunks(),
        ),
        (["target_first", "target_next", "target_bits"], config.target_chunks()),
    ];
    for ([first, next, width], chunks) in fields {
        parameters.extend([
            (first, chunks.first as usize),
            (next, chunks.next as usize),
            (width, chunks.width as usize),
        ]);
    }
    parameters
}

mod phase {
    pub const BRANCH_COUNT: usize = 0;
    pub const EXTENDED: usize = 1;
    pub const INSTRUCTION_COUNT: usize = 2;
    pub const OUTCOME: usize = 3;
    pub const TARGET: usize = 4;
    pub const SIGN: usize = 5;
}

/// Sends a record piece by piece: a chunk with its connect bit, the outcome, the sign.
#[derive(LogicBlock)]
pub struct SerialEncoder {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// There is a record.
    pub record_valid: Wire<In>,
    /// The record, which stays until it is taken.
    pub record: Wire<In>,
    /// Its last piece goes.
    pub record_ready: Wire<Out>,
    /// There is a piece.
    pub piece_valid: Wire<Out>,
    /// Its bits, first bit lowest; zero above `piece_bits`.
    pub piece: Wire<Out>,
    /// How many bits it has.
    pub piece_bits: Wire<Out>,
    /// It ends a flush record.
    pub piece_last: Wire<Out>,
    /// It is taken.
    pub piece_ready: Wire<In>,
    phase: Reg,
    index: Reg,
    overflow_sent: Reg,
    fields: RecordFields,
    branch_count: ChunkSelector,
    instruction_count: ChunkSelector,
    target: ChunkSelector,
    overflow_now: Wire<Local>,
    escape_now: Wire<Local>,
    more: Wire<Local>,
    done: Wire<Local>,
    phase_next: Wire<Local>,
    overflow_code: Param,
    at_branch_count: Param,
    at_extended: Param,
    at_instruction_count: Param,
    at_outcome: Param,
    at_target: Param,
    at_sign: Param,
    _branch_index: usize,
    _instruction_index: usize,
    _target_index: usize,
    _piece_width: usize,
}

impl SerialEncoder {
    /// The encoder of `config`.
    pub fn new(config: &Config) -> Self {
        let (branch_count, instruction_count, target) = (
            config.branch_count_chunks(),
            config.instruction_count_chunks(),
            config.target_chunks(),
        );
        let word = RecordWord::new(config);
        let width = piece_most_bits(config);
        let index = [branch_count, instruction_count, target]
            .iter()
            .map(chunk_index_bits)
            .max()
            .unwrap_or(1);
        Self {
            kind: Kind::new("serial_encoder", parameters(config)),
            domain: Domain::new(),
            record_valid: Wire::new(1),
            record: Wire::new(word.bits()),
            record_ready: Wire::new(1),
            piece_valid: Wire::new(1),
            piece: Wire::new(width).describe("zero above piece_bits"),
            piece_bits: Wire::new(BitPacker::piece_count_bits(width)),
            piece_last: Wire::new(1).describe("ends a flush record"),
            piece_ready: Wire::new(1),
            phase: Reg::new(3, 0),
            overflow_sent: Reg::new(1, 0),
            index: Reg::new(index, 0),
            fields: RecordFields::new(config),
            branch_count: ChunkSelector::new(&branch_count, width),
            instruction_count: ChunkSelector::new(&instruction_count, width),
            target: ChunkSelector::new(&target, width),
            overflow_now: Wire::new(1),
            escape_now: Wire::new(1),
            more: Wire::new(1),
            done: Wire::new(1),
            phase_next: Wire::new(3),
            overflow_code: Param::new(Extended::InstructionCountOverflow as usize),
            at_branch_count: Param::new(phase::BRANCH_COUNT),
            at_extended: Param::new(phase::EXTENDED),
            at_instruction_count: Param::new(phase::INSTRUCTION_COUNT),
            at_outcome: Param::new(phase::OUTCOME),
            at_target: Param::new(phase::TARGET),
            at_sign: Param::new(phase::SIGN),
            _branch_index: chunk_index_bits(&branch_count),
            _instruction_index: chunk_index_bits(&instruction_count),
            _target_index: chunk_index_bits(&target),
            _piece_width: width,
        }
    }
}

impl Logic for SerialEncoder {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, phase, index, overflow_sent);
        self.fields.record.next = self.record.val();
        self.overflow_now.next = self.fields.overflow_first.val() & !self.overflow_sent.q.val();
        self.escape_now.next = self.fields.escape.val() | self.overflow_now.val();
        self.branch_count.value.next = self.fields.branch_count.val();
        if self.overflow_now.val().any() {
            self.branch_count.value.next = 0.into();
        }
        self.branch_count.escape.next = self.escape_now.val();
        self.branch_count.index.next = bits_to(self.index.q.val(), self._branch_index);
        self.instruction_count.value.next = self.fields.instruction_count.val();
        self.instruction_count.escape.next = 0.into();
        self.instruction_count.index.next = bits_to(self.index.q.val(), self._instruction_index);
        self.target.value.next = self.fields.difference.val();
        self.target.escape.next = 0.into();
        self.target.index.next = bits_to(self.index.q.val(), self._target_index);

        self.piece.next = 0.into();
        self.piece_bits.next = 1.into();
        self.more.next = 0.into();
        self.done.next = 0.into();
        self.phase_next.next = self.at_branch_count.val();
        if self.phase.q.val() == self.at_branch_count.val() {
            self.piece.next = self.branch_count.piece.val();
            self.piece_bits.next = self.branch_count.piece_bits.val();
            self.more.next = self.branch_count.more.val();
            if self.escape_now.val().any() {
                self.phase_next.next = self.at_extended.val();
            } else if self.fields.exception.val().any() {
                self.phase_next.next = self.at_instruction_count.val();
            } else if self.fields.sends_outcome.val().any() {
                self.phase_next.next = self.at_outcome.val();
            } else if self.fields.sends_target.val().any() {
                self.phase_next.next = self.at_target.val();
            } else {
                self.done.next = 1.into();
            }
        } else if self.phase.q.val() == self.at_extended.val() {
            self.piece.next = bits_to(self.fields.extended.val(), self._piece_width);
            self.piece_bits.next = 2.into();
            self.phase_next.next = self.at_instruction_count.val();
            self.done.next = !self.fields.is_flush.val();
            if self.overflow_now.val().any() {
                self.piece.next = self.overflow_code.val();
                self.phase_next.next = self.at_branch_count.val();
                self.done.next = 0.into();
            }
        } else if self.phase.q.val() == self.at_instruction_count.val() {
            self.piece.next = self.instruction_count.piece.val();
            self.piece_bits.next = self.instruction_count.piece_bits.val();
            self.more.next = self.instruction_count.more.val();
            self.phase_next.next = self.at_target.val();
            self.done.next = self.fields.is_flush.val();
        } else if self.phase.q.val() == self.at_outcome.val() {
            self.piece.next = bits_to(self.fields.taken.val(), self._piece_width);
            self.phase_next.next = self.at_target.val();
            self.done.next = !self.fields.sends_target.val();
        } else if self.phase.q.val() == self.at_target.val() {
            self.piece.next = self.target.piece.val();
            self.piece_bits.next = self.target.piece_bits.val();
            self.more.next = self.target.more.val();
            self.phase_next.next = self.at_sign.val();
        } else {
            self.piece.next = bits_to(self.fields.below.val(), self._piece_width);
            self.done.next = 1.into();
        }

        self.piece_valid.next = self.record_valid.val();
        self.record_ready.next = self.piece_ready.val() & self.done.val() & !self.more.val();
        self.piece_last.next = self.fields.is_flush.val() & self.done.val() & !self.more.val();
        if self.record_valid.val().any() && self.piece_ready.val().any() {
            if self.more.val().any() {
                self.index.d.next = self.index.q.val() + 1;
            } else {
                self.index.d.next = 0.into();
                self.phase.d.next = self.phase_next.val();
                if self.phase.q.val() == self.at_extended.val() {
                    self.overflow_sent.d.next = self.overflow_now.val();
                }
                if self.done.val().any() {
                    self.phase.d.next = self.at_branch_count.val();
                    self.overflow_sent.d.next = 0.into();
                }
            }
        }
    }
}

/// Sends a whole record in one piece, through a register.
#[derive(LogicBlock)]
pub struct ParallelEncoder {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// There is a record.
    pub record_valid: Wire<In>,
    /// The record.
    pub record: Wire<In>,
    /// It is taken.
    pub record_ready: Wire<Out>,
    /// There is a piece.
    pub piece_valid: Wire<Out>,
    /// Its bits, first bit lowest; zero above `piece_bits`.
    pub piece: Wire<Out>,
    /// How many bits it has.
    pub piece_bits: Wire<Out>,
    /// It is a flush record.
    pub piece_last: Wire<Out>,
    /// It is taken.
    pub piece_ready: Wire<In>,
    held_valid: Reg,
    held: Reg,
    held_bits: Reg,
    held_last: Reg,
    fields: RecordFields,
    branch_count: VariableLength,
    instruction_count: VariableLength,
    target: VariableLength,
    head: Wire<Local>,
    head_length: Wire<Local>,
    code: Wire<Local>,
    length: Wire<Local>,
    takes: Wire<Local>,
    escape_code: Param,
    escape_bits: Param,
    overflow_code: Param,
    overflow_bits: Param,
    _piece_width: usize,
    _length_width: usize,
}

impl ParallelEncoder {
    /// The encoder of `config`.
    pub fn new(config: &Config) -> Self {
        let (branch_count, instruction_count, target) = (
            config.branch_count_chunks(),
            config.instruction_count_chunks(),
            config.target_chunks(),
        );
        let word = RecordWord::new(config);
        let width = piece_most_bits(config);
        let length_width = index_bits(width as u32 + 1) as usize;
        Self {
            kind: Kind::new("parallel_encoder", parameters(config)),
            domain: Domain::new(),
            record_valid: Wire::new(1),
            record: Wire::new(word.bits()),
            record_ready: Wire::new(1),
            piece_valid: Wire::new(1),
            piece: Wire::new(width).describe("zero above piece_bits"),
            piece_bits: Wire::new(length_width),
            piece_last: Wire::new(1).describe("is a flush record"),
            piece_ready: Wire::new(1),
            held_valid: Reg::new(1, 0),
            held: Reg::new(width, 0),
            held_bits: Reg::new(length_width, 0),
            held_last: Reg::new(1, 0),
            fields: RecordFields::new(config),
            branch_count: VariableLength::new(&branch_count),
            instruction_count: VariableLength::new(&instruction_count),
            target: VariableLength::new(&target),
            head: Wire::new(width),
            head_length: Wire::new(length_width),
            code: Wire::new(width),
            length: Wire::new(length_width),
            takes: Wire::new(1),
            escape_code: Param::new(1usize << branch_count.first),
            escape_bits: Param::new((branch_count.first + branch_count.next + 2) as usize),
            overflow_code: Param::new(
                (Extended::InstructionCountOverflow as usize)
                    << (branch_count.first + branch_count.next + 2)
                    | 1 << branch_count.first,
            ),
            overflow_bits: Param::new(overflow_bits(config) as usize),
            _piece_width: width,
            _length_width: length_width,
        }
    }
}

impl Logic for ParallelEncoder {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, held_valid, held, held_bits, held_last);
        self.fields.record.next = self.record.val();
        self.branch_count.value.next = self.fields.branch_count.val();
        self.instruction_count.value.next = self.fields.instruction_count.val();
        self.target.value.next = self.fields.difference.val();

        // Field after field, each behind what is there.
        self.head.next = bits_to(self.branch_count.code.val(), self._piece_width);
        self.head_length.next = bits_to(self.branch_count.length.val(), self._length_width);
        if self.fields.escape.val().any() {
            self.head.next = bits_to(self.fields.extended.val(), self._piece_width)
                << self.escape_bits.val()
                | self.escape_code.val();
            self.head_length.next = self.escape_bits.val() + bits_to(2, self._length_width);
        }
        self.code.next = self.head.val();
        self.length.next = self.head_length.val();
        if self.fields.overflow_first.val().any() {
            self.code.next =
                (self.head.val() << self.overflow_bits.val()) | self.overflow_code.val();
            self.length.next = self.head_length.val() + self.overflow_bits.val();
        }
        if self.fields.sends_outcome.val().any() {
            self.code.next = self.code.val()
                | (bits_to(self.fields.taken.val(), self._piece_width) << self.length.val());
            self.length.next = self.length.val() + 1;
        }
        if self.fields.exception.val().any() || self.fields.is_flush.val().any() {
            self.code.next = self.code.val()
                | (bits_to(self.instruction_count.code.val(), self._piece_width)
                    << self.length.val());
            self.length.next = self.length.val()
                + bits_to(self.instruction_count.length.val(), self._length_width);
        }
        if self.fields.sends_target.val().any() {
            self.code.next = self.code.val()
                | (bits_to(self.target.code.val(), self._piece_width) << self.length.val());
            self.length.next =
                self.length.val() + bits_to(self.target.length.val(), self._length_width);
            self.code.next = self.code.val()
                | (bits_to(self.fields.below.val(), self._piece_width) << self.length.val());
            self.length.next = self.length.val() + 1;
        }

        self.record_ready.next = self.piece_ready.val() | !self.held_valid.q.val();
        self.takes.next = self.record_valid.val() & self.record_ready.val();
        self.piece_valid.next = self.held_valid.q.val();
        self.piece.next = self.held.q.val();
        self.piece_bits.next = self.held_bits.q.val();
        self.piece_last.next = self.held_last.q.val();
        if self.piece_ready.val().any() {
            self.held_valid.d.next = 0.into();
        }
        if self.takes.val().any() {
            self.held_valid.d.next = 1.into();
            self.held.d.next = self.code.val();
            self.held_bits.d.next = self.length.val();
            self.held_last.d.next = self.fields.is_flush.val();
        }
    }
}
