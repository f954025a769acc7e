//! What a report says beside the settings.

use super::convention::Convention as C;
use super::report::Sentence;
use super::verdict::Verdict;

/// Rows of a log that may be of boot code alone, which is in no file of the program.
const BOOT_ROWS: u64 = 64;

impl Verdict {
    /// What is said of interrupts and entries into debug mode.
    pub(super) fn interrupts(&mut self) {
        if self.has(C::InterruptUnmarked) {
            let text = match self.has(C::InterruptMarked) {
                true => "some diversions are not marked, and are interrupts nevertheless",
                false => "no interrupt is marked: each diversion that no word explains is one",
            };
            self.advise(C::InterruptUnmarked, text);
        }
        if self.has(C::DebugEntry) {
            self.advise(
                C::DebugEntry,
                "entries into debug mode are traced like interrupts; filters or enable_pin leave debug mode out",
            );
        }
    }

    /// What these rows cannot show.
    pub(super) fn unseen(&mut self) {
        let diversions =
            [C::NextOwn, C::NextHandler, C::NextDelayed, C::NextAfterReturn, C::InterruptMarked];
        let has_interrupt =
            diversions.into_iter().any(|shown| self.has(shown)) || self.has(C::InterruptUnmarked);
        let text = match (has_interrupt, self.has(C::Trap) || self.has(C::TrapUnmarked)) {
            (true, _) => return,
            (false, true) => {
                "no interrupt is among these rows, so that what the port says there is not known"
            }
            (false, false) => {
                "no interrupt and no trap is among these rows, so that what the port says there is not known"
            }
        };
        self.advice.push(Sentence { convention: None, text: text.to_owned() });
    }

    /// What the program says of the log.
    pub(super) fn program(&mut self) {
        if self.has(C::ProgramOther) {
            let others = self.count(C::ProgramOther);
            let same = self.count(C::ProgramSame) + self.count(C::ProgramExpanded);
            let text = match others > same {
                true => "the log is not of this program: most words are others",
                false => {
                    "some words are not the program's: its code changes, or the log is of another version"
                }
            };
            self.object(C::ProgramOther, text);
        }
        let inside = [C::ProgramSame, C::ProgramExpanded, C::ProgramOther];
        let is_elsewhere = !inside.into_iter().any(|shown| self.has(shown));
        if is_elsewhere && self.count(C::ProgramOutside) >= BOOT_ROWS {
            self.object(
                C::ProgramOutside,
                "the log is not of this program, which has no code at its addresses",
            );
        } else if self.has(C::ProgramOutside) {
            self.advise(
                C::ProgramOutside,
                "some code is in no file of the program: a decoder needs it as --image FILE.bin@ADDRESS",
            );
        }
    }

    /// What cannot be traced, and what is traced as exceptions.
    pub(super) fn flow(&mut self) {
        let obstacles = [
            (
                C::OrderGap,
                "instructions are missing from the order of the port, and would be from the trace",
            ),
            (C::OrderAgain, "a number comes a second time: an instruction retires once"),
            (
                C::InterruptRepeats,
                "a row that is marked as an interrupt repeats the last instruction: connect valid without those",
            ),
            (
                C::WordMissing,
                "instructions have no word, or one with unknown bits: an adapter needs the word of each",
            ),
            (
                C::PopAtTarget,
                "cm.popret stands at its return address instead of its own: the port has to give its own",
            ),
            (
                C::JumpNowhere,
                "a jump leads to where no instruction can be, and nothing says what became of it",
            ),
        ];
        for (convention, text) in obstacles {
            if self.has(convention) {
                self.object(convention, text);
            }
        }
        if self.has(C::CustomJump) {
            self.advise(
                C::CustomJump,
                "jumps in opcodes of the core's own are traced as exceptions after the instruction",
            );
        }
        if self.has(C::ZcJump) {
            self.advise(
                C::ZcJump,
                "the code has jumps of Zcmp or Zcmt, whose words are those of c.fsdsp in code without them",
            );
        }
        if self.has(C::WordIllegal) {
            self.object(
                C::WordIllegal,
                "words that are no instruction of RISC-V are shown as if they had retired, which no decoder follows: mark them at \
                 the pin for traps, or do not show them",
            );
        }
    }
}
