//! The two counters and the decision what is recorded (paper C, Figure 3 and Table 2).

use super::config::Config;
use super::layout::{Body, Extended, Head};
use super::predictors::Prediction;
use crate::config::mask;
use crate::event::{Event, Kind};
use crate::target_difference::TargetDifference;

/// Counts branches and instructions, and forms a record where the predictors were wrong.
///
/// Two rules are ours, as the paper leaves them open. A branch that was predicted but brings the
/// branch counter to its limit makes a *branch count overflow*, which clears both counters. An
/// *instruction count overflow* takes half the instruction counter's range off it: where a sequential
/// instruction would leave the range, and where a control-flow instruction that makes no other record
/// finds the counter in its upper half. Both depend on single instructions only, so the trace does
/// not depend on how a core cuts a straight run into blocks.
#[derive(Clone, Debug)]
pub struct RecordFormer {
    branch_count: u64,
    branch_count_limit: u64,
    instruction_count: u64,
    instruction_count_bits: u32,
    target_difference: TargetDifference,
}

impl RecordFormer {
    /// The counters as reset leaves them.
    pub fn new(config: &Config) -> Self {
        Self {
            branch_count: 0,
            branch_count_limit: mask(config.branch_count_bits),
            instruction_count: 0,
            instruction_count_bits: config.instruction_count_bits,
            target_difference: TargetDifference::new(&config.processor),
        }
    }

    /// Counts instructions that do not change the flow.
    #[inline]
    pub fn sequential(&mut self, instructions: u64, mut record: impl FnMut(Head, Body)) {
        let range = 1 << self.instruction_count_bits;
        let mut left = instructions;
        while self.instruction_count + left >= range {
            left -= range - self.instruction_count;
            self.instruction_count = range;
            self.take_half(&mut record);
        }
        self.instruction_count += left;
    }

    /// Counts one control-flow instruction that was predicted, and the sequential ones before it, unless a record comes of
    /// them: it is then false, and nothing is counted.
    #[inline(always)]
    pub fn pass(&mut self, event: &Event) -> bool {
        let total = self.instruction_count + event.instructions.max(1);
        let branches = self.branch_count + u64::from(event.kind.is_counted());
        if total >> (self.instruction_count_bits - 1) != 0 || branches == self.branch_count_limit {
            return false;
        }
        (self.instruction_count, self.branch_count) = (total, branches);
        true
    }

    /// Counts one control-flow instruction and the sequential ones before it.
    #[inline]
    pub fn control_flow(
        &mut self,
        event: &Event,
        prediction: &Prediction,
        mut record: impl FnMut(Head, Body),
    ) {
        // All instructions before an exception are sequential.
        let last = u64::from(event.kind != Kind::Exception);
        self.sequential(event.instructions.saturating_sub(last), &mut record);
        let total = self.instruction_count + last;
        if event.kind == Kind::Exception {
            let body = Body { instruction_count: total, ..self.target(event.target) };
            self.clear();
            return record(Head::Exception, body);
        }
        if event.kind.is_counted() {
            self.branch_count += 1;
            if let Some(body) = self.misprediction(event, prediction) {
                let count = self.branch_count;
                self.clear();
                return record(Head::Branch(count), body);
            }
            if self.branch_count == self.branch_count_limit {
                self.clear();
                return record(Head::Extended(Extended::BranchCountOverflow), Body::default());
            }
        }
        self.instruction_count = total;
        if total >> (self.instruction_count_bits - 1) != 0 {
            self.take_half(&mut record);
        }
    }

    /// Ends the trace, or a part of it.
    pub fn flush(&mut self, mut record: impl FnMut(Head, Body)) {
        let body = Body { instruction_count: self.instruction_count, ..Body::default() };
        self.clear();
        record(Head::Extended(Extended::Flush), body);
    }

    fn take_half(&mut self, record: &mut impl FnMut(Head, Body)) {
        self.instruction_count -= 1 << (self.instruction_count_bits - 1);
        record(Head::Extended(Extended::InstructionCountOverflow), Body::default());
    }

    fn clear(&mut self) {
        self.branch_count = 0;
        self.instruction_count = 0;
    }

    #[inline]
    fn misprediction(&mut self, event: &Event, prediction: &Prediction) -> Option<Body> {
        let outcome_missed = event.taken != prediction.taken;
        if !event.kind.is_indirect() {
            return outcome_missed.then(Body::default);
        }
        if !event.taken {
            return outcome_missed.then(Body::default);
        }
        let target_missed = prediction.target.target != Some(event.target);
        (outcome_missed || target_missed).then(|| Body { taken: true, ..self.target(event.target) })
    }

    /// The difference from the last target sent, which becomes this one.
    fn target(&mut self, target: u64) -> Body {
        let (difference, below) = self.target_difference.send(target);
        Body { difference, below, ..Body::default() }
    }
}
