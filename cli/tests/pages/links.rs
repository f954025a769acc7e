//! docs/README.md lists every page once, and no link of a page leads nowhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::install::Installed;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The pages of a folder below `root`, by their names below it.
fn pages(root: &Path, folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(root.join(folder)).expect("a folder");
    let names =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".md")).collect()
}

/// The text without blocks of code and without code within a line.
fn prose(page: &str) -> String {
    let outside = page.split("```").step_by(2);
    let lines = outside.flat_map(str::lines);
    lines.map(|line| line.split('`').step_by(2).collect::<String>() + "\n").collect()
}

/// Where the links of a page lead: `[text](target)`.
fn links(page: &str) -> Vec<String> {
    let targets = page.split("](").skip(1);
    targets.filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())).collect()
}

/// The names by which headings are linked to, as GitHub makes them.
fn anchors(page: &str) -> BTreeSet<String> {
    let outside = page.split("\n```").step_by(2);
    let headings = outside.flat_map(str::lines).filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let text = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
            text.chars().filter(|one| one.is_alphanumeric() || matches!(one, '-' | '_')).collect()
        })
        .collect()
}

#[test]
fn every_page_is_listed_once() {
    let list = read(&root().join("docs/README.md"));
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for link in links(&list).iter().filter(|link| link.ends_with(".md") && !link.starts_with(".."))
    {
        *times.entry(link.clone()).or_default() += 1;
    }
    let decisions =
        pages(&root(), "docs/decisions").into_iter().map(|name| format!("decisions/{name}"));
    let all: BTreeSet<String> = pages(&root(), "docs").into_iter().chain(decisions).collect();
    for page in all.iter().filter(|page| *page != "README.md") {
        assert_eq!(times.remove(page), Some(1), "docs/README.md has to list {page} once");
    }
    assert!(times.is_empty(), "docs/README.md lists what is not there: {times:?}");
}

#[test]
fn every_link_leads_somewhere() {
    check_links(&root(), &["", "docs", "docs/decisions", "workloads", "generated_verilog"]);
}

#[test]
fn every_link_of_the_installed_pages_leads_somewhere() {
    let installed = Installed::new();
    check_links(&installed.prefix.join("share/doc/tracewright"), &["", "docs", "docs/decisions"]);
}

/// Checks the links of the pages in folders below `root`.
fn check_links(root: &Path, folders: &[&str]) {
    let mut problems = Vec::new();
    let mut count = 0;
    for folder in folders {
        for name in pages(root, folder) {
            let path = root.join(folder).join(&name);
            for link in links(&prose(&read(&path))) {
                if link.contains("://") || link.starts_with("mailto:") {
                    continue;
                }
                count += 1;
                let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
                let target = match file {
                    "" => path.clone(),
                    file => path.parent().expect("a folder").join(file),
                };
                let has_anchor = || anchor.is_empty() || anchors(&read(&target)).contains(anchor);
                if !target.exists() || !has_anchor() {
                    problems.push(format!("{folder}/{name}: {link}"));
                }
            }
        }
    }
    assert!(problems.is_empty(), "links that lead nowhere:\n{}", problems.join("\n"));
    assert!(count > 200, "{count} links");
}
