//! Parts of a regression.

use tracewright_verification::Shard;

#[test]
fn every_item_is_in_one_part() {
    for of in 1..6 {
        let parts: Vec<Shard> =
            (1..=of).map(|index| format!("{index}/{of}").parse().expect("a shard")).collect();
        for number in 0..20 {
            assert_eq!(parts.iter().filter(|part| part.has(number)).count(), 1);
        }
        for length in 0..20 {
            for part in &parts {
                let items = (0..length).filter(|number| part.has(*number)).count();
                assert_eq!(items as u64, part.share(length), "{part} of {length}");
            }
        }
        assert_eq!(Shard::missing(&parts), None);
        let missing = Shard::missing(&parts[1..]);
        assert_eq!(missing, (of > 1).then_some(parts[0]));
    }
}

#[test]
fn what_is_no_shard_is_refused() {
    for text in ["", "1", "0/4", "5/4", "1/0", "-1/4", "1/4/4", "a/b"] {
        assert!(text.parse::<Shard>().is_err(), "{text}");
    }
}
