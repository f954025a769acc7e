//! The kinds of messages.

/// The fields of a message. Counts are in half-words of code, and addresses in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// Ownership: the privilege level and the context.
    Ownership {
        /// The four fields of PROCESS.
        process: u64,
    },
    /// Error: messages were lost.
    Error {
        /// ETYPE.
        kind: u8,
        /// ECODE.
        code: u64,
    },
    /// ProgTraceSync: the execution is at an address.
    Start {
        /// The reason.
        sync: u8,
        /// The code since the last message.
        count: u64,
        /// Where the execution goes on.
        address: u64,
    },
    /// DirectBranch, and DirectBranchSync with a reason and the address.
    Direct {
        /// The reason and the address of a synchronisation.
        sync: Option<(u8, u64)>,
        /// The code since the last message.
        count: u64,
    },
    /// IndirectBranch and IndirectBranchHist, and with a reason IndirectBranchSync and IndirectBranchHistSync.
    Indirect {
        /// The reason of a synchronisation.
        sync: Option<u8>,
        /// B-TYPE: 0 for a jump, else an exception or an interrupt.
        branch_type: u8,
        /// The code since the last message.
        count: u64,
        /// The whole address of a synchronisation, else its exclusive or with the last one.
        address: u64,
        /// Outcomes of branches after a first 1, the last one lowest.
        history: Option<u64>,
    },
    /// ResourceFull: the counter of code.
    CountFull {
        /// Half-words.
        count: u64,
    },
    /// ResourceFull: the history.
    HistoryFull {
        /// Outcomes of branches after a first 1, the last one lowest.
        history: u64,
        /// How often they come; `None` if the message does not say it.
        repeats: Option<u64>,
    },
    /// ResourceFull with a code of vendors, 8 or 9: branches in a row that go the same way.
    BranchesFull {
        /// They are taken.
        taken: bool,
        /// Branches.
        count: u64,
    },
    /// RepeatBranch: the branch of the last message comes so many times more.
    Repeat {
        /// Times.
        count: u64,
    },
    /// ProgTraceCorrelation: tracing ends.
    Correlation {
        /// EVCODE.
        event: u8,
        /// The code since the last message.
        count: u64,
        /// Outcomes of branches after a first 1, the last one lowest.
        history: Option<u64>,
    },
    /// DataAcquisition: what the program has written to the trace (instrumentation).
    DataAcquisition {
        /// IDTAG: which of the registers for it.
        tag: u64,
        /// DQDATA: the value.
        data: u64,
    },
    /// AuxAccessWrite: what the encoder says of its own registers.
    AuxAccessWrite {
        /// The address of the register.
        address: u64,
        /// The value.
        data: u64,
    },
    /// InCircuitTrace, and InCircuitTraceSync with the whole address: where the execution is at an event, or when it is
    /// sampled.
    InCircuit {
        /// The address is whole, else its exclusive or with the last one.
        is_whole: bool,
        /// CKSRC: the event.
        event: u8,
        /// The address, if it has one.
        address: Option<u64>,
        /// What is different in the address to which a call or a return leads.
        target: Option<u64>,
        /// What else it has (CKDATA).
        data: Vec<u64>,
    },
    /// ProgTraceSync with a reason that stands for a sample of the program counter.
    Sample {
        /// The reason.
        sync: u8,
        /// The address.
        address: u64,
    },
    /// A message of a kind that the parameters of the encoder say to pass over.
    PassedOver {
        /// The kind (TCODE).
        code: u8,
    },
}

impl Body {
    /// True if the execution can be begun with it: the whole address is in it.
    pub fn synchronises(&self) -> bool {
        matches!(
            self,
            Body::Start { .. }
                | Body::Direct { sync: Some(_), .. }
                | Body::Indirect { sync: Some(_), .. }
        )
    }

    /// True for a message that is of no execution of instructions.
    pub fn is_of_data(&self) -> bool {
        matches!(
            self,
            Body::DataAcquisition { .. }
                | Body::AuxAccessWrite { .. }
                | Body::InCircuit { .. }
                | Body::Sample { .. }
                | Body::PassedOver { .. }
        )
    }

    /// True for a message that is told beside the execution: one of data, of an external trigger or of a watchpoint.
    pub fn tells_more(&self) -> bool {
        let sync = match self {
            Body::Start { sync, .. } | Body::Direct { sync: Some((sync, _)), .. } => Some(*sync),
            Body::Indirect { sync, .. } => *sync,
            _ => None,
        };
        self.is_of_data() || matches!(self, Body::Error { .. }) || matches!(sync, Some(0 | 6))
    }

    /// True if the time in it is whole.
    pub(super) fn has_whole_time(&self) -> bool {
        self.synchronises()
            || matches!(self, Body::InCircuit { is_whole: true, .. } | Body::Sample { .. })
    }

    /// The kind of the message, as the standard numbers it (TCODE).
    pub fn code(&self) -> u8 {
        match self {
            Body::Ownership { .. } => 2,
            Body::Direct { sync: None, .. } => 3,
            Body::Indirect { sync: None, history: None, .. } => 4,
            Body::Error { .. } => 8,
            Body::Start { .. } | Body::Sample { .. } => 9,
            Body::Direct { sync: Some(_), .. } => 11,
            Body::Indirect { sync: Some(_), history: None, .. } => 12,
            Body::CountFull { .. } | Body::HistoryFull { .. } | Body::BranchesFull { .. } => 27,
            Body::Indirect { sync: None, history: Some(_), .. } => 28,
            Body::Indirect { sync: Some(_), history: Some(_), .. } => 29,
            Body::Repeat { .. } => 30,
            Body::Correlation { .. } => 33,
            Body::DataAcquisition { .. } => 7,
            Body::AuxAccessWrite { .. } => 23,
            Body::InCircuit { is_whole: false, .. } => 34,
            Body::InCircuit { is_whole: true, .. } => 35,
            Body::PassedOver { code } => *code,
        }
    }
}
