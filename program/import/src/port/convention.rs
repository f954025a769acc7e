//! The conventions that a core may follow at its port, and the rows that show them.

/// Rows that are named for a convention.
const FIRST_ROWS: usize = 3;

/// Declares the conventions with their names, what they are of, and what they say.
macro_rules! conventions {
    ($($(#[$doc:meta])* $variant:ident: $name:literal, $topic:literal, $text:literal;)*) => {
        /// What a row, or a row and the next one, shows of a port.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Convention {
            $($(#[$doc])* $variant,)*
        }

        impl Convention {
            /// Every convention, in the order of a report.
            pub const ALL: [Convention; [$($name),*].len()] = [$(Convention::$variant),*];

            /// The name, which does not change.
            pub fn name(self) -> &'static str {
                match self {
                    $(Convention::$variant => $name,)*
                }
            }

            /// What it is of: words, the next pc, and so on.
            pub fn topic(self) -> &'static str {
                match self {
                    $(Convention::$variant => $topic,)*
                }
            }

            /// What the rows show, in a few words.
            pub fn text(self) -> &'static str {
                match self {
                    $(Convention::$variant => $text,)*
                }
            }
        }
    };
}

conventions! {
    /// A compressed instruction has its own 16 bits.
    CompressedRaw: "compressed-raw", "words", "compressed instructions as they are";
    /// A word of 32 bits is followed by the address two bytes on.
    CompressedExpanded: "compressed-expanded", "words", "compressed instructions expanded to 32 bits";
    /// The pin for compressed instructions agrees with the addresses.
    PinAgrees: "compressed-pin", "words", "a pin says what is compressed";
    /// The pin for compressed instructions contradicts the addresses.
    PinDisagrees: "compressed-pin-wrong", "words", "the pin for compressed instructions is wrong";
    /// The word of an instruction is not in the log.
    WordMissing: "word-missing", "words", "no word, or one with unknown bits";
    /// A word that is no instruction of RISC-V retired.
    WordIllegal: "word-illegal", "words", "retired, and no instruction of RISC-V";
    /// A word of a custom opcode leads elsewhere than to the following address.
    CustomJump: "custom-jump", "words", "a jump in an opcode of the core's own";
    /// A jump of Zcmp or Zcmt.
    ZcJump: "zc-jump", "words", "a jump of Zcmp or Zcmt";
    /// The next pc is the address of the next row.
    NextTrue: "next-true", "next pc", "the address of the next row";
    /// Before a diversion, the next pc is where the word leads.
    NextOwn: "next-own", "next pc", "before a diversion, where the word leads";
    /// The next pc is a handler to which the word cannot lead.
    NextHandler: "next-handler", "next pc", "the handler before an interrupt";
    /// The next pc is always the address of the next row, and nothing else says where the flow was diverted.
    NextDelayed: "next-delayed", "next pc", "always that of the next row: a delayed pc";
    /// The next pc of a jump or branch that is taken is the following address.
    NextFallThrough: "next-fall-through", "next pc", "the following address of a taken branch";
    /// The next pc of a return from a trap is the following address.
    NextAfterReturn: "next-after-return", "next pc", "the address after a return from a trap";
    /// The next pc is neither where the word leads nor the next row.
    NextOther: "next-other", "next pc", "neither the next row nor where the word leads";
    /// The first instruction after a diversion is marked.
    InterruptMarked: "interrupt-marked", "interrupt", "marked at the first row of a handler";
    /// The first instruction after a diversion is not marked.
    InterruptUnmarked: "interrupt-unmarked", "interrupt", "a diversion that nothing marks";
    /// A row that is marked as an interrupt repeats the last instruction.
    InterruptRepeats: "interrupt-repeats", "interrupt", "a marked row repeats the last instruction";
    /// An instruction trapped, and has not retired.
    Trap: "trap", "trap", "a row with a trap";
    /// The trap is a record of several bits.
    TrapRecord: "trap-record", "trap", "the trap is a record of several bits";
    /// An instruction with a trap has retired.
    TrapRetired: "trap-retired", "trap", "a row with a trap that has retired";
    /// The next pc of an instruction that trapped is its handler.
    TrapNextHandler: "trap-next-handler", "trap", "with a trap, next pc is the handler";
    /// The next pc of an instruction that trapped is where its word leads.
    TrapNextOwn: "trap-next-own", "trap", "with a trap, next pc is where the word leads";
    /// A system call, a breakpoint or an illegal word is diverted without a trap.
    TrapUnmarked: "trap-unmarked", "trap", "a word that traps, not marked";
    /// The flow is diverted to an address that `dret` leaves.
    DebugEntry: "debug-entry", "debug", "an entry into debug mode";
    /// A return from a trap is diverted before the instruction to which it leads.
    ReturnDiverted: "return-diverted", "return", "a diversion right after a return";
    /// Instructions of a cycle are not in the order of their numbers.
    LanesMixed: "lanes-mixed", "order", "an earlier instruction after a later one";
    /// Numbers are missing.
    OrderGap: "order-gap", "order", "instructions are missing before it";
    /// A number has been before.
    OrderAgain: "order-again", "order", "a number for the second time";
    /// An instruction retires while the core is asked to stop.
    AfterStall: "after-stall", "stopping", "retired while asked to stop";
    /// `cm.popret` stands at its return address.
    PopAtTarget: "popret-at-target", "flow", "cm.popret at its return address";
    /// A jump leads to where no instruction can be.
    JumpNowhere: "jump-nowhere", "flow", "a jump to where no instruction can be";
    /// The program has the word of the log.
    ProgramSame: "program-same", "program", "the word of the program";
    /// The program has the compressed form of the word of the log.
    ProgramExpanded: "program-expanded", "program", "the expanded word of the program";
    /// The program has another instruction.
    ProgramOther: "program-other", "program", "another word than the program's";
    /// The program has no code there.
    ProgramOutside: "program-outside", "program", "outside the program";
}

/// How many rows show a convention, and the first of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Rows.
    pub count: u64,
    /// Where the first ones are.
    pub first: Vec<u64>,
}

impl Evidence {
    /// Counts a row at this place.
    pub(super) fn add(&mut self, place: u64) {
        self.count += 1;
        if self.first.len() < FIRST_ROWS {
            self.first.push(place);
        }
    }

    /// Counts the rows of other evidence, too.
    pub(super) fn merge(&mut self, other: &Evidence) {
        self.count += other.count;
        self.first.extend(&other.first);
        self.first.sort_unstable();
        self.first.truncate(FIRST_ROWS);
    }
}

/// The evidence of every convention.
#[derive(Clone, Debug)]
pub(super) struct Found([Evidence; Convention::ALL.len()]);

impl Default for Found {
    fn default() -> Self {
        Found(std::array::from_fn(|_| Evidence::default()))
    }
}

impl Found {
    pub(super) fn add(&mut self, convention: Convention, place: u64) {
        self.0[convention as usize].add(place);
    }

    pub(super) fn of(&self, convention: Convention) -> &Evidence {
        &self.0[convention as usize]
    }

    pub(super) fn of_mut(&mut self, convention: Convention) -> &mut Evidence {
        &mut self.0[convention as usize]
    }

    pub(super) fn count(&self, convention: Convention) -> u64 {
        self.of(convention).count
    }

    /// The rows of one convention are rows of another.
    pub(super) fn rename(&mut self, from: Convention, to: Convention) {
        let evidence = std::mem::take(self.of_mut(from));
        self.of_mut(to).merge(&evidence);
    }
}
