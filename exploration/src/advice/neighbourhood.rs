//! Designs that differ from another in the size of one table.

use tracewright_sim::parameter::Value;
use tracewright_sim::scheme::Design;

/// Endings of the names of parameters that say how large a table of predictions is.
const TABLES: [&str; 3] = ["_entries", "_sets", "stack_depth"];

/// The design with each of its tables of half and of twice the size, as far as it is valid.
pub fn neighbours(design: &Design) -> Vec<Design> {
    let is_table = |name: &str| TABLES.iter().any(|ending| name.ends_with(ending));
    let tables = design.values().into_iter().filter(|(name, _)| is_table(name));
    let sizes = tables.flat_map(|(name, value)| match value {
        Value::Number(entries) if entries > 1 => vec![(name, entries / 2), (name, entries * 2)],
        _ => Vec::new(),
    });
    let neighbour = |(name, entries): (&str, u32)| {
        let mut changed = design.clone();
        changed.set(name, &entries.to_string()).and_then(|()| changed.validate()).ok()?;
        Some(changed)
    };
    sizes.filter_map(neighbour).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_table_is_changed_and_the_queue_is_none() {
        let preset = Design::preset("traptor-m4").expect("a preset");
        let found = neighbours(&preset);
        let changed = |design: &Design| {
            let pairs = design.values().into_iter().zip(preset.values());
            let changed = pairs.filter(|(one, other)| one != other);
            changed.map(|(one, _)| format!("{}={}", one.0, one.1)).collect::<Vec<_>>()
        };
        let all: Vec<String> = found.iter().map(|one| changed(one).join(" ")).collect();
        assert!(all.contains(&"gshare_entries=1024".to_owned()), "{all:?}");
        assert!(all.contains(&"return_address_stack_depth=4".to_owned()), "{all:?}");
        assert!(all.iter().all(|one| !one.contains(' ') && !one.contains("queue")), "{all:?}");
        assert_eq!(found.len(), 6, "{all:?}");
    }
}
