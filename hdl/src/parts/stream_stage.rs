//! A stage between stream buffer and stream cache, where tables are read through registers.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::Processor;
use tracewright_sim::stream_cache::config::StreamCacheShape;
use tracewright_sim::stream_detector::STREAM_CODE_BITS;

block! {
    /// Holds the stream that is looked up, and says one cycle early which it will be.
    pub StreamStage("stream_stage") of (shape: &StreamCacheShape, processor: &Processor, infers: bool) {
        let length_bits = shape.stream_length_bits as usize;
        let start_bits = processor.instruction_address_bits() as usize;
        let end_bits = STREAM_CODE_BITS as usize;
        let inferred_bits = usize::from(infers);
    }
    parameters {
        start_bits,
        length_bits,
        infers = inferred_bits,
    }

    /// a stream waits
    in valid: 1;
    /// code of the end
    in end_code: end_bits;
    /// it ends with a branch or a cut
    in is_whole: 1;
    /// 0: cut
    in length: length_bits;
    /// in instruction units
    in start: start_bits;
    /// the decoder can infer the start
    in inferred: inferred_bits;
    /// the stream is taken into the stage
    out ready: 1;
    /// a stream is in the stage
    out later_valid: 1;
    out later_end_code: end_bits;
    out later_is_whole: 1;
    out later_length: length_bits;
    out later_start: start_bits;
    out later_inferred: inferred_bits;
    /// the stream in the stage leaves it, if there is one
    in later_ready: 1;
    /// length of the stream that is in the stage in the next cycle
    out early_length: length_bits;
    /// its start
    out early_start: start_bits;
    reg held_valid: 1;
    reg held_end_code: end_bits = undefined;
    reg held_is_whole: 1 = undefined;
    reg held_length: length_bits = undefined;
    reg held_start: start_bits = undefined;
    reg held_inferred: inferred_bits = undefined;
}

#[kernel]
impl Logic for StreamStage {
    fn update(&mut self) {
        ready = later_ready | !held_valid.q;
        early_length = held_length.q;
        early_start = held_start.q;
        if ready {
            held_valid.d = valid;
            held_end_code.d = end_code;
            held_is_whole.d = is_whole;
            held_inferred.d = inferred;
            early_length = length;
            early_start = start;
        }
        held_length.d = early_length;
        held_start.d = early_start;

        later_valid = held_valid.q;
        later_end_code = held_end_code.q;
        later_is_whole = held_is_whole.q;
        later_length = held_length.q;
        later_start = held_start.q;
        later_inferred = held_inferred.q;
    }
}
