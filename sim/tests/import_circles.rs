//! No file of this crate uses another one that uses it, directly or through others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The paths of modules that a text names, each as its parts, beginning with `crate` or `super`.
fn named_paths(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in text.match_indices(start) {
            let is_whole =
                !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
            if is_whole {
                tree(&text[at..], &[], &mut found);
            }
        }
    }
    found
}

/// Reads a path, or a group of them in braces, and gives the text after it.
fn tree<'a>(text: &'a str, prefix: &[String], found: &mut Vec<Vec<String>>) -> &'a str {
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = rest.trim_start_matches([' ', ',', '\n']);
            match rest.strip_prefix('}') {
                Some(after) => return after,
                None => rest = tree(rest, prefix, found),
            }
            // A name after `as` is not a path.
            if let Some(renamed) = rest.trim_start().strip_prefix("as ") {
                rest = renamed.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
            }
        }
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let path = [prefix, &[text[..end].to_owned()]].concat();
    match text[end..].strip_prefix("::") {
        Some(rest) if rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '{') => {
            tree(rest, &path, found)
        }
        _ => {
            found.push(path);
            text[end.max(1).min(text.len())..].trim_start_matches('*')
        }
    }
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { sources(&path, found) } else { found.push(path) }
    }
}

/// The text without `super` in macros, where it stands for the module above that in which a macro is used.
fn outside_macros(code: &str) -> String {
    let mut parts = code.split("macro_rules!");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let end = part.find("\n}").unwrap_or(part.len());
        text + &part[..end].replace("super::", "") + &part[end..]
    })
}

/// Every module by its path, as parts, with the text of its file, without comments and unit tests.
fn modules(root: &Path) -> BTreeMap<Vec<String>, String> {
    let mut files = Vec::new();
    sources(root, &mut files);
    let mut modules = BTreeMap::new();
    for file in files {
        let path = file.strip_prefix(root).unwrap().with_extension("");
        let mut parts: Vec<String> =
            path.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
        parts.pop_if(|last| last == "mod" || last == "lib");
        let text = fs::read_to_string(&file).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
        modules.insert(parts, outside_macros(&code.collect::<Vec<_>>().join("\n")));
    }
    modules
}

/// The module that a path leads into, named in the module `from`.
fn resolve<'a>(
    modules: &'a BTreeMap<Vec<String>, String>,
    from: &[String],
    path: &[String],
) -> Option<&'a Vec<String>> {
    let ups = path.iter().take_while(|part| *part == "super").count();
    let base = if ups > 0 { from.get(..from.len().checked_sub(ups)?)? } else { &[] };
    let whole = [base, &path[ups.max(1)..]].concat();
    (1..=whole.len()).rev().find_map(|length| Some(modules.get_key_value(&whole[..length])?.0))
}

/// A file `X.rs` and those of the folder `X` are one unit, which may use each other.
fn unit(root: &Path, module: &[String]) -> String {
    let whole = (1..module.len())
        .find(|length| root.join(module[..*length].join("/")).with_extension("rs").exists());
    module[..whole.unwrap_or(module.len())].join("::")
}

#[test]
fn no_file_uses_itself_through_others() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let modules = modules(&root);
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, text) in &modules {
        let user = unit(&root, module);
        let used = named_paths(text);
        let used = used.iter().filter_map(|path| resolve(&modules, module, path));
        let used = used.map(|used| unit(&root, used)).filter(|used| *used != user);
        uses.entry(user.clone()).or_default().extend(used);
    }
    let count: usize = uses.values().map(BTreeSet::len).sum();
    assert!(count > 400, "{count} uses were found");
    assert!(uses["scheme"].contains("room") && uses["ntuple::encoder"].contains("ntuple::config"));
    for user in uses.keys() {
        let mut reached = BTreeSet::new();
        let mut open = vec![user];
        while let Some(next) = open.pop() {
            open.extend(uses[next].iter().filter(|used| reached.insert(*used)));
        }
        assert!(!reached.contains(user), "{user} is in a circle with some of {reached:?}");
    }
}

#[test]
fn paths_are_found() {
    let text = "use crate::{config::{Config as C, mask}, event};\nlet x = super::super::place(1);";
    let found: BTreeSet<String> = named_paths(text).iter().map(|path| path.join("::")).collect();
    let wanted =
        ["crate::config::Config", "crate::config::mask", "crate::event", "super::super::place"];
    assert_eq!(found, wanted.map(String::from).into());
}
