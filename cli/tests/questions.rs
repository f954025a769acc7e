//! What `view` answers of moments, spans and differences, against listings and counts of the same execution.

use serde_json::Value;

use crate::common::{Folder, workload};

/// A folder with a trace of an interpreter, which calls itself, and its program.
fn folder() -> Folder {
    let folder = Folder::new();
    let wset = workload("rv32imac-interpreter").replace(".pet.zst", ".wset");
    std::fs::copy(wset.replace(".wset", ".elf"), folder.path("prog.elf")).expect("the program");
    folder.succeed(&format!("wset replay {wset} -o whole.pet.zst"));
    folder.succeed("trace convert whole.pet.zst -o run.pet.zst --limit 60K");
    folder
}

const VIEW: &str = "view run.pet.zst --program prog.elf";

fn answer(folder: &Folder, question: &str) -> Value {
    folder.json(&format!("{VIEW} {question} --json"))["answers"][0].take()
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

/// Number, address and function of the instructions of a listing.
fn listed(folder: &Folder) -> Vec<(u64, u64, String)> {
    let text = folder.succeed(&format!("{VIEW} --listing - --count 100M"));
    let mut function = String::new();
    let mut all = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Some(place) = line.strip_prefix("thread 0, ") {
            function = place.trim_end_matches(':').split('+').next().unwrap_or(place).to_owned();
        } else if let [instruction, address, _, ..] = words[..]
            && let (Ok(instruction), Ok(address)) =
                (instruction.parse(), u64::from_str_radix(address, 16))
        {
            all.push((instruction, address, function.clone()));
        }
    }
    all
}

#[test]
fn moments_are_those_of_the_listing() {
    let folder = folder();
    let listing = listed(&folder);
    let term = listing.iter().find(|(_, _, function)| function == "term").expect("term").1;
    let entered: Vec<u64> =
        listing.iter().filter(|(_, address, _)| *address == term).map(|one| one.0).collect();
    let when = answer(&folder, "--when term --top 100K");
    assert_eq!(number(&when["count"]), entered.len() as u64);
    let moments = when["moments"].as_array().expect("moments");
    let instructions: Vec<u64> =
        moments.iter().map(|moment| number(&moment["instruction"])).collect();
    assert_eq!(instructions, entered);
    for moment in moments {
        assert_eq!(moment["calls"][0]["function"], "term");
        assert_eq!(moment["calls"][0]["at"], "term");
        assert!(moment["calls"][1]["at"].as_str().expect("a call").starts_with("expression+"));
    }
    let by_address = answer(&folder, &format!("--when {term:#x} --top 100K"));
    assert_eq!(by_address["moments"], when["moments"]);
    let first = answer(&folder, "--first term");
    assert_eq!(first["moments"][0], moments[0]);
    let last = answer(&folder, "--last term");
    assert_eq!(last["moments"][0], moments[moments.len() - 1]);
    assert_eq!(last["moments"].as_array().expect("one").len(), 1);
}

/// A line is reached each time that another line, or another function, leads to it.
#[test]
fn a_line_is_reached_from_others() {
    let folder = folder();
    let term = answer(&folder, "--first term")["moments"][0]["calls"][0]["line"].take();
    let line = term.as_str().expect("a line").rsplit('/').next().expect("a file").to_owned();
    let entered = number(&answer(&folder, "--when term")["count"]);
    let reached = answer(&folder, &format!("--when {line} --top 1M"));
    assert!(number(&reached["count"]) >= entered, "{reached}");
    let moments = reached["moments"].as_array().expect("moments");
    let numbers: Vec<u64> = moments.iter().map(|moment| number(&moment["instruction"])).collect();
    assert!(numbers.windows(2).all(|pair| pair[1] > pair[0] + 1), "in a row: {numbers:?}");
}

#[test]
fn spans_are_from_the_first_to_the_next() {
    let folder = folder();
    let numbers = |place: &str| -> Vec<u64> {
        let when = answer(&folder, &format!("--when {place} --top 1M"));
        let moments = when["moments"].as_array().expect("moments");
        moments.iter().map(|moment| number(&moment["instruction"])).collect()
    };
    let (begins, ends) = (numbers("expression"), numbers("factor"));
    let mut spans = Vec::new();
    let mut from = 0;
    while let Some(begin) = begins.iter().find(|begin| **begin >= from)
        && let Some(end) = ends.iter().find(|end| **end > *begin)
    {
        spans.push(end - begin);
        from = *end;
    }
    spans.sort_unstable();
    let between = answer(&folder, "--between expression factor --top 1M");
    assert_eq!(number(&between["count"]), spans.len() as u64);
    assert_eq!(number(&between["shortest"]), spans[0]);
    assert_eq!(number(&between["median"]), spans[spans.len() / 2]);
    assert_eq!(number(&between["longest"]), spans[spans.len() - 1]);
    assert_eq!(number(&between["instructions"]), spans.iter().sum::<u64>());
    for span in between["spans"].as_array().expect("spans") {
        assert_eq!(number(&span["to"]) - number(&span["from"]), number(&span["instructions"]));
    }
}

/// From a place to itself is from each time to the next.
#[test]
fn spans_from_a_place_to_itself_are_periods() {
    let folder = folder();
    let when = answer(&folder, "--when term --top 1M");
    let moments = when["moments"].as_array().expect("moments");
    let between = answer(&folder, "--between term term");
    assert_eq!(number(&between["count"]), number(&when["count"]) - 1);
    let at = |place: usize| number(&moments[place]["instruction"]);
    assert_eq!(number(&between["instructions"]), at(moments.len() - 1) - at(0));
}

#[test]
fn a_path_leads_to_its_moment() {
    let folder = folder();
    let listing = listed(&folder);
    let moment = answer(&folder, "--when term")["moments"][3].take();
    let at = number(&moment["instruction"]);
    let path = answer(&folder, &format!("--path-to {at} --top 5"));
    assert_eq!(path["moment"], moment);
    let branches = path["branches"].as_array().expect("branches");
    assert_eq!(branches.len(), 5);
    for branch in branches {
        // The instruction after a taken branch is where it led.
        let next = &listing[number(&branch["instruction"]) as usize + 1];
        let to = branch["to"].as_str().expect("a place");
        assert_eq!(to.split('+').next(), Some(next.2.as_str()), "{branch}");
    }
    assert_eq!(number(&branches[4]["instruction"]), at - 1, "the call comes right before");
    assert_eq!(branches[4]["kind"], "call");
    let event = number(&moment["event"]);
    let by_event = answer(&folder, &format!("--path-to event={event}"));
    assert_eq!(number(&by_event["moment"]["event"]), event);
    assert!(number(&by_event["moment"]["instruction"]) >= at);
}

#[test]
fn places_that_are_not_there() {
    let folder = folder();
    for (question, says) in [
        ("--first trem", "--first: no function is called `trem`; did you mean `term`?"),
        ("--when 0x4", "--when: no instruction of the program is at 0x4"),
        ("--last nothing.c:3", "--last: no instruction comes from nothing.c:3"),
        ("--path-to 1G", "--path-to: the execution has no instruction 1,000,000,000"),
        ("--last 5", "--last INSTRUCTIONS: expected --listing"),
    ] {
        let done = folder.run(&format!("{VIEW} {question}"));
        assert_ne!(done.status, 0, "{question}");
        assert!(done.stderr.contains(says), "{question}: {}", done.stderr);
    }
    let never = folder.succeed(&format!("{VIEW} --between term main"));
    assert!(never.contains("main never ran after term"), "{never}");
}

/// Two runs of a program with other input, the second of which is read through an encoded file.
#[test]
fn runs_are_compared() {
    let folder = Folder::new();
    let program = workload("rv64imac-words").replace(".pet.zst", ".elf");
    std::fs::copy(program, folder.path("words.elf")).expect("the program");
    folder.write("one.txt", "a tree and a tree, one house\n");
    folder.write("two.txt", "a tree and a tree; two houses and a river\n");
    for name in ["one", "two"] {
        folder.succeed(&format!("wset capture words.elf --input {name}.txt -o {name}.wset"));
        folder.succeed(&format!("wset replay {name}.wset -o {name}.pet.zst"));
    }
    folder.succeed("encode talon-m two.pet.zst -o two.bits --set address_width=64");
    let view = |trace: &str, more: &str| {
        folder.json(&format!("view {trace} --program words.elf --top 1M {more} --json"))
    };
    let (one, two) = (view("one.pet.zst", ""), view("two.pet.zst", ""));
    let both = view("two.bits", "--diff one.pet.zst --folded both.folded --flame-graph both.svg");
    let difference = &both["difference"];
    assert_eq!(difference["base"], "one.pet.zst");
    assert_eq!(difference["instructions"], one["instructions"]);
    assert_eq!(difference["partings"].as_array().expect("partings").len(), 1);
    let own = |run: &Value, name: &str| {
        let functions = run["functions"].as_array().expect("functions");
        let found = functions.iter().find(|function| function["function"] == name);
        found.map_or(0, |function| number(&function["instructions"]))
    };
    let functions = difference["functions"].as_array().expect("functions");
    assert!(!functions.is_empty());
    for row in functions {
        let name = row["what"].as_str().expect("a name");
        assert_eq!(
            (own(&one, name), own(&two, name)),
            (number(&row["first"]), number(&row["second"]))
        );
    }
    let sums = folder.text("both.folded").lines().fold([0, 0], |sums, line| {
        let mut numbers = line.rsplitn(3, ' ').map(|word| word.parse::<u64>().unwrap_or(0));
        let second = numbers.next().expect("the second count");
        [sums[0] + numbers.next().expect("the first count"), sums[1] + second]
    });
    assert_eq!(sums, [number(&one["instructions"]), number(&two["instructions"])]);
    assert!(folder.text("both.svg").contains("<svg"));

    // Up to the parting the listings are equal.
    let parting = &difference["partings"][0];
    let parts = number(&parting["instructions"]) as usize;
    let listing = |name: &str| -> Vec<String> {
        let text = folder
            .succeed(&format!("view {name}.pet.zst --program words.elf --listing - --count 1M"));
        let is_instruction = |line: &&str| {
            line.starts_with("  ") && line.contains("  c.")
                || line.trim_start().starts_with(|first: char| first.is_ascii_digit())
        };
        text.lines().filter(is_instruction).map(str::to_owned).collect()
    };
    let (first, second) = (listing("one"), listing("two"));
    assert_eq!(first[..parts - 1], second[..parts - 1]);
    let last = number(&parting["second"]["instruction"]) as usize;
    assert_ne!(first[..last + 2], second[..last + 2]);

    let same = folder.succeed("view two.bits --program words.elf --diff two.pet.zst");
    assert!(same.contains("the executions are equal"), "{same}");
}
