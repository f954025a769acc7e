//! Faults in what clears tables while blocks are traced, and in what switches tracing off and on.

use tracewright_sim::scheme::Design;

use super::packets;
use super::subject::Subject;
use super::texts::{Fault, fault};

/// Packets whose tables are cleared in the background, and pins that switch tracing off and on.
pub fn subject() -> Subject {
    let mut design = Design::preset("traptor-m4").unwrap();
    for (name, value) in [
        ("framing", "packets"),
        ("sync_interval", "1024"),
        ("background_clearing", "true"),
        ("enable_pin", "true"),
        ("sync_bytes", "16"),
    ] {
        design.set(name, value).unwrap();
    }
    Subject { design, programs: packets::programs() }
}

const TABLE: &str = "_table_memory";
const SEQUENCER: &str = "_sequencer";
const SYNCHRONISER: &str = "_synchroniser";
const BACK_END: &str = "_back_end";
const TOP: &str = ".v";

/// Every fault, by module.
pub const FAULTS: &[Fault] = &[
    fault("an entry of the epoch before is read", TABLE, "[2] == memory_sweep[0]", "[2] >= 1'b0"),
    fault("the sweep clears what was learned", TABLE, "[2] != memory_sweep[0]", "[2] >= 1'b0"),
    fault("an entry has the epoch before", TABLE, "<= {memory_sweep[0],", "<= {!memory_sweep[0],"),
    fault("the sweep does not wait", SEQUENCER, "sweeping & is_idle", "sweeping"),
    fault(
        "the sweep ends with its first entry",
        SEQUENCER,
        "if (&index) begin\n                    sweeping",
        "if (1'b1) begin\n                    sweeping",
    ),
    fault("the epoch stays", SEQUENCER, "epoch <= !epoch", "epoch <= epoch"),
    fault(
        "a restart does not wait for the flush record",
        BACK_END,
        "is_behind_flush <= has_flush & !takes_flush",
        "is_behind_flush <= 1'b0",
    ),
    fault("a restart is forgotten", BACK_END, "restart_is_due <= 1'b1", "restart_is_due <= 1'b0"),
    fault("a packet begins before the sweep is over", TOP, " & !sequencer_is_sweeping", ""),
    fault(
        "words that leave are not counted",
        SYNCHRONISER,
        "words <= words + 5'd1",
        "words <= words",
    ),
    fault(
        "a synchronisation is due a word early",
        SYNCHRONISER,
        "| words[4]",
        "| (&words[3:0]) | words[4]",
    ),
    fault("tracing is not switched off", TOP, "flush | !enable", "flush"),
    fault("a core waits for tracing to go on", TOP, " & !synchroniser_skips", ""),
];
