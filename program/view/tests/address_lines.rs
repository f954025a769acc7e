//! Lines of addresses are those that formats make.

use std::io::Write;

use tracewright_view::address_lines::AddressLines;

#[test]
fn lines_are_those_of_formats_in_any_order() {
    let near =
        [0x100fe, 0x10100, 0x10102, 0x10100, 0x1_0010_0102, 0xff, 0x10102, 0, 0x100, u64::MAX];
    let far = (0..64).map(|shift| 1 << shift).chain((0..64).rev().map(|shift| !0 >> shift));
    let once: Vec<u64> = near.into_iter().chain(far).collect();
    let (mut lines, mut expected) = (AddressLines::new(Vec::new()), String::new());
    for (place, address) in once.iter().cycle().take(200 * once.len()).enumerate() {
        if place % 7 == 0 {
            write!(lines, "{place} ").unwrap();
            expected += &format!("{place} ");
        }
        lines.address(*address).unwrap();
        expected += &format!("{address:#x}\n");
    }
    // More than is collected before it is written.
    assert!(expected.len() > 1 << 17);
    assert_eq!(String::from_utf8(lines.finish().unwrap()).unwrap(), expected);
}
