//! What every record of several cores begins with, for docs/formats.md.

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
         The numbers are those of `{preset}`. Records come in the order in which they were made: clock by\n\
         clock, and in a clock by the index of the core. Behind what is shown here follows a record of the\n\
         module's format, without the padding. One core has no `thread`, a functional trace no `clocks`.\n\n\
         A flush is a flush record of every core in the order of their index; the padding follows the last.\n\
         Time stands still until the trace goes on.\n"
    );
    let format = Layout::new(&config.sharing).prefix_format();
    record(text, "Before a record of a core", &format, &["is_alone"]);
    if config.sharing.time_stamps {
        let what = "A core's clock counter is full: nothing follows, and it starts again";
        record(text, what, &format, &["time_overflow"]);
    }
}
