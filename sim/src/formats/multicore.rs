//! The records of several cores, and of the Nexus-like module.

use std::fmt::Write;

use super::record;
use crate::config::mask;
use crate::multicore::config::{Config, Sharing};
use crate::multicore::layout::{Layout, Prefix};
use crate::nexus;
use crate::nexus::target_coder::CodedTarget;
use crate::stream_detector::{End, Stream};

/// What every record of several cores begins with.
pub(super) fn several(text: &mut String, preset: &str, sharing: &Sharing) {
    let _ = write!(
        text,
        "\n## mcfTRaptor and other modules of several cores\n\n\
         The numbers are those of `{preset}`. Records come in the order in which they were made: clock by\n\
         clock, and in a clock by the index of the core. Behind what is shown here follows a record of the\n\
         module's format, without the padding. One core has no `thread`, a functional trace no `clocks`.\n\n\
         A flush is a flush record of every core in the order of their index; the padding follows the last.\n\
         Time stands still until the trace goes on.\n"
    );
    let layout = Layout::new(sharing);
    for (what, clocks) in [
        ("Before a record of a core", Some(1)),
        ("A core's clock counter is full: nothing follows, and it starts again", None),
    ] {
        let mut prefix = Prefix { thread: 0, clocks };
        record(text, what, |describer| layout.prefix(&mut prefix, describer));
    }
}

/// The records of a Nexus-like module.
pub(super) fn nexus(text: &mut String, preset: &str, config: &Config<nexus::config::Config>) {
    let _ = write!(
        text,
        "\n## Nexus-like\n\n\
         The numbers are those of `{preset}`. Whether a target follows the length of a stream that ended with\n\
         a branch depends on that branch, which the decoder knows. Several cores: see above.\n"
    );
    let layout = nexus::layout::Layout::new(&config.encoded_module());
    let longest = mask(config.module.stream_length_bits);
    for (what, length, end, has_target) in [
        ("A stream that ended with a taken direct conditional branch", 1, End::Branch, false),
        ("A stream that ended with a taken indirect branch", 1, End::Branch, true),
        ("A stream that is cut at the longest length and goes on behind", longest, End::Cut, false),
        ("A stream that ended with a branch at the longest length", longest, End::Branch, true),
        ("An exception", 1, End::Exception, true),
        ("Flush: the end of the trace, or of a part of it", 1, End::Flush, false),
    ] {
        let mut target = CodedTarget { value: 1, below: false };
        record(text, what, |describer| {
            layout.head(&mut Ok(Stream { length, end }), describer)?;
            if has_target { layout.target(&mut target, describer) } else { Ok(()) }
        });
    }
    let _ = write!(text, "\nCode 3 is kept for records lost by a core that cannot stall.\n");
}
