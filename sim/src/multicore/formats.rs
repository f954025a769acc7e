//! The fields at the beginning of every record of several cores, for docs/formats.md.

use std::fmt::Write;

use super::config::Config;
use super::layout::Layout;
use super::module::Module;
use crate::record_table::record;

/// Appends the chapter of several cores.
pub fn describe<M: Module>(config: &Config<M>, preset: &str, text: &mut String) {
    let _ = write!(
        text,
        "\n## mcfTRaptor and other modules of several cores\n\n\
         The numbers are those of `{preset}`. Records come in the order in which they were made: cycle by\n\
         cycle, and within a cycle by the index of the core. The fields below are followed by a record of the\n\
         module's format, without the padding. One core has no `thread`, a functional trace no `clocks`.\n\n\
         A flush is a flush record of every core in the order of their index; the padding follows the last.\n\
         The cycle counters pause until tracing continues.\n"
    );
    let format = Layout::new(&config.sharing).prefix_format();
    record(text, "Before a record of a core", &format, &["is_alone"]);
    if config.sharing.time_stamps {
        let what = "A core's cycle counter is full: no record follows, and the counter is reset";
        record(text, what, &format, &["time_overflow"]);
    }
}
