//! docs/formats.md is what the layouts print.

use tracewright_sim::formats;

#[test]
fn the_document_is_current() {
    let kept = include_str!("../../docs/formats.md");
    assert!(formats::markdown() == kept, "docs/formats.md is not current: `make generate`");
}
