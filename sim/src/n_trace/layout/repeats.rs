//! The messages of what comes again.

use super::{codes, fields, last};
use crate::encode::record::RecordFormat;
use crate::n_trace::config::Config;

impl Config {
    /// Adds what tells how often something came, before the message that ends it.
    pub(super) fn repeats(&self, format: RecordFormat) -> RecordFormat {
        if !self.counts_repeats() {
            return format;
        }
        let format = format.one_of(|format| {
            let format = format.constant("branch_again", self.head(codes::REPEAT));
            match self.branch_history {
                true => format
                    .constant("earlier_once", self.head(codes::FULL))
                    .constant("earlier_again", self.head(codes::FULL)),
                false => format,
            }
        });
        let times = last(self.repeat_bits);
        if !self.branch_history {
            return format.chunks(fields::BRANCH_REPEATS, "branch_again", "times", times);
        }
        let (once, again) = (self.full_history_chunks(), self.repeated_history_chunks());
        format
            .one_of(|format| {
                format.chunks(fields::FULL_HISTORY, "earlier_once", "earlier_code", once).chunks(
                    fields::FULL_HISTORY,
                    "earlier_again",
                    "earlier_code",
                    again,
                )
            })
            .one_of(|format| {
                format.chunks(fields::HISTORY_REPEATS, "earlier_again", "times", times).chunks(
                    fields::BRANCH_REPEATS,
                    "branch_again",
                    "times",
                    times,
                )
            })
    }
}
