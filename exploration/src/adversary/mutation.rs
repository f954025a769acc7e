//! Random changes of scripts.

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use tracewright_sim::synthetic::script::{Function, Interrupt, Pattern, Script, Statement};

/// Numbers at which structures of predictors change what they do, and others.
const NUMBERS: [u32; 24] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 17, 24, 31, 33, 64, 100, 127, 255, 511, 1023, 1025, 3000,
];
/// Places of functions: of one page, of others, and far away.
const BASES: [u32; 6] = [0, 0x100, 0x1_0000, 0x10_0000, 0x8000_0000, 0xc000_0000];
const LONGEST_PATTERN: usize = 24;
const MOST_FUNCTIONS: usize = 24;
/// Lines of a script at most: what is worse should be small.
pub(super) const MOST_LINES: usize = 90;
/// Changes of one child at most.
const CHANGES: u32 = 4;
/// Trials until a changed script is a program.
const TRIALS: usize = 16;

/// A script with some random changes; the same one if none of the trials is a program.
pub(super) fn child(parent: &Script, random: &mut ChaCha8Rng) -> Script {
    for _ in 0..TRIALS {
        let mut script = parent.clone();
        for _ in 0..random.random_range(1..=CHANGES) {
            change(&mut script, random);
        }
        if lines(&script) <= MOST_LINES && script.run().is_ok() {
            return script;
        }
    }
    parent.clone()
}

/// Lines of a script's text.
pub(super) fn lines(script: &Script) -> usize {
    script.to_string().lines().count()
}

fn change(script: &mut Script, random: &mut ChaCha8Rng) {
    match random.random_range(0..20) {
        0 => add_function(script, random),
        1 | 2 => {
            let function = random.random_range(0..script.functions.len());
            script.functions[function].address = address(script, random);
        }
        3 => interrupt(script, random),
        _ => {
            let function = random.random_range(0..script.functions.len());
            let shape = Shape::of(script, function);
            change_body(&mut script.functions[function].body, &shape, random);
        }
    }
}

/// What statements of a function can refer to.
struct Shape {
    functions: Vec<usize>,
    handlers: Vec<usize>,
    is_first: bool,
}

impl Shape {
    fn of(script: &Script, function: usize) -> Self {
        let later = |is_handler: bool| {
            let all = script.functions.iter().enumerate().skip(function + 1);
            all.filter(|(_, one)| one.is_handler == is_handler).map(|(number, _)| number).collect()
        };
        Self { functions: later(false), handlers: later(true), is_first: function == 0 }
    }
}

fn add_function(script: &mut Script, random: &mut ChaCha8Rng) {
    if script.functions.len() < MOST_FUNCTIONS {
        let address = address(script, random);
        let body = vec![Statement::Straight(number(random))];
        let is_handler = random.random_ratio(1, 4);
        script.functions.push(Function { address, is_handler, body });
    }
}

fn address(script: &Script, random: &mut ChaCha8Rng) -> u32 {
    let near = script.functions.choose(random).map_or(0, |function| function.address);
    let base = match random.random_range(0..3) {
        0 => *BASES.choose(random).unwrap_or(&0),
        _ => near,
    };
    let offset: u32 = 4 * random.random_range(0..4096);
    base.wrapping_add(if random.random() { offset } else { 4 * number(random) }) & !3
}

fn interrupt(script: &mut Script, random: &mut ChaCha8Rng) {
    let handlers = Shape::of(script, 0).handlers;
    script.interrupt = handlers.choose(random).filter(|_| random.random_ratio(2, 3)).map(|one| {
        let after = (0..random.random_range(1..4)).map(|_| number(random)).collect();
        Interrupt { after, handler: *one }
    });
}

fn number(random: &mut ChaCha8Rng) -> u32 {
    *NUMBERS.choose(random).unwrap_or(&1)
}

fn nearby(number: u32, random: &mut ChaCha8Rng) -> u32 {
    match random.random_range(0..5) {
        0 => number + 1,
        1 => number.saturating_sub(1).max(1),
        2 => (2 * number).min(1 << 17),
        3 => number.div_ceil(2),
        _ => self::number(random),
    }
}

fn pattern(choices: usize, random: &mut ChaCha8Rng) -> Pattern {
    let length = random.random_range(1..=LONGEST_PATTERN);
    // In turn, at random, or as drawn.
    let way = random.random_range(0..3);
    let digit = |place: usize, random: &mut ChaCha8Rng| match way {
        0 => Some((place % choices) as u8),
        1 => None,
        _ => Some(random.random_range(0..choices) as u8),
    };
    Pattern((0..length).map(|place| digit(place, random)).collect())
}

fn change_pattern(pattern: &mut Pattern, choices: usize, random: &mut ChaCha8Rng) {
    let Pattern(digits) = pattern;
    let place = random.random_range(0..digits.len());
    match random.random_range(0..4) {
        0 if digits.len() > 1 => drop(digits.remove(place)),
        1 if digits.len() < LONGEST_PATTERN => digits.insert(place, digits[place]),
        2 => *pattern = self::pattern(choices, random),
        _ => {
            digits[place] =
                random.random_ratio(7, 8).then(|| random.random_range(0..choices) as u8);
        }
    }
}

/// A statement of any kind that the function can have.
fn statement(shape: &Shape, random: &mut ChaCha8Rng) -> Statement {
    let straight = |random: &mut ChaCha8Rng| vec![Statement::Straight(number(random))];
    let callees = |random: &mut ChaCha8Rng| -> Vec<usize> {
        let count = random.random_range(2..=9);
        (0..count).filter_map(|_| shape.functions.choose(random).copied()).collect()
    };
    match random.random_range(0..11) {
        0 => Statement::Loop(number(random), straight(random)),
        1 => Statement::If(pattern(2, random), straight(random)),
        2 => {
            let cases: Vec<_> = (0..random.random_range(2..=9)).map(|_| straight(random)).collect();
            Statement::Switch(pattern(cases.len(), random), cases)
        }
        3 | 4 if !shape.functions.is_empty() => {
            Statement::Call(*shape.functions.choose(random).unwrap_or(&0))
        }
        5 if !shape.functions.is_empty() => {
            let callees = callees(random);
            Statement::CallOne(pattern(callees.len(), random), callees)
        }
        6 if !shape.is_first => Statement::Recurse(number(random).min(64)),
        7 => Statement::Unwind(number(random).min(16)),
        8 if shape.is_first && !shape.functions.is_empty() => {
            Statement::Resume(*shape.functions.choose(random).unwrap_or(&0))
        }
        8 if !shape.is_first => Statement::Yield,
        9 if !shape.handlers.is_empty() => {
            Statement::Trap(*shape.handlers.choose(random).unwrap_or(&0))
        }
        _ => Statement::Straight(number(random)),
    }
}

/// Changes a list of statements, or one inside it.
fn change_body(body: &mut Vec<Statement>, shape: &Shape, random: &mut ChaCha8Rng) {
    let inner = body.iter().filter(|one| has_body(one)).count();
    if inner > 0 && random.random_ratio(2, 3) {
        let chosen = random.random_range(0..inner);
        if let Some(statement) = body.iter_mut().filter(|one| has_body(one)).nth(chosen) {
            match statement {
                Statement::Loop(_, body) | Statement::If(_, body) => {
                    return change_body(body, shape, random);
                }
                Statement::Switch(_, cases) => {
                    let case = random.random_range(0..cases.len());
                    return change_body(&mut cases[case], shape, random);
                }
                _ => {}
            }
        }
    }
    let place = random.random_range(0..=body.len());
    let here = place.min(body.len().saturating_sub(1));
    match random.random_range(0..8) {
        0 | 1 => body.insert(place, statement(shape, random)),
        2 if !body.is_empty() => drop(body.remove(here)),
        3 if !body.is_empty() => body.insert(place, body[here].clone()),
        4 if !body.is_empty() => {
            let other = random.random_range(0..body.len());
            body.swap(here, other);
        }
        5 if !body.is_empty() => {
            let inside = vec![body.remove(here)];
            body.insert(
                here,
                match random.random() {
                    true => Statement::Loop(number(random), inside),
                    false => Statement::If(pattern(2, random), inside),
                },
            );
        }
        _ if !body.is_empty() => tweak(&mut body[here], shape, random),
        _ => {}
    }
}

fn has_body(statement: &Statement) -> bool {
    matches!(statement, Statement::Loop(..) | Statement::If(..) | Statement::Switch(..))
}

/// Changes what a statement says.
fn tweak(statement: &mut Statement, shape: &Shape, random: &mut ChaCha8Rng) {
    match statement {
        Statement::Straight(count)
        | Statement::Loop(count, _)
        | Statement::Recurse(count)
        | Statement::Unwind(count) => *count = nearby(*count, random),
        Statement::If(pattern, _) => change_pattern(pattern, 2, random),
        Statement::Switch(pattern, cases) => {
            if random.random_ratio(1, 3) && cases.len() < 10 {
                cases.push(cases[random.random_range(0..cases.len())].clone());
                *pattern = self::pattern(cases.len(), random);
            } else {
                change_pattern(pattern, cases.len(), random);
            }
        }
        Statement::CallOne(pattern, functions) => match random.random_range(0..3) {
            0 => change_pattern(pattern, functions.len(), random),
            _ => {
                let place = random.random_range(0..functions.len());
                functions[place] = *shape.functions.choose(random).unwrap_or(&functions[place]);
            }
        },
        Statement::Call(number) | Statement::Resume(number) => {
            *number = *shape.functions.choose(random).unwrap_or(number);
        }
        Statement::Trap(number) => *number = *shape.handlers.choose(random).unwrap_or(number),
        Statement::Yield => {}
    }
}

/// Scripts with one statement, function or interrupt less, the largest first.
pub(super) fn smaller(script: &Script) -> Vec<Script> {
    let mut all = Vec::new();
    if script.interrupt.is_some() {
        all.push(Script { interrupt: None, ..script.clone() });
    }
    for function in 0..script.functions.len() {
        for body in shorter(&script.functions[function].body) {
            let mut script = script.clone();
            script.functions[function].body = body;
            all.push(script);
        }
    }
    all.extend((1..script.functions.len()).filter_map(|function| without(script, function)));
    all.retain(|script| script.run().is_ok());
    all
}

/// The script without a function, if nothing needs it.
fn without(script: &Script, function: usize) -> Option<Script> {
    let mut script = script.clone();
    script.functions.remove(function);
    let bodies = script.functions.iter_mut().all(|one| renumber(&mut one.body, function));
    let interrupt = script.interrupt.as_mut().is_none_or(|one| close(&mut one.handler, function));
    (bodies && interrupt).then_some(script)
}

/// The number of a function after another one has gone; false if it is that one's.
fn close(number: &mut usize, gone: usize) -> bool {
    let is_other = *number != gone;
    *number -= usize::from(*number > gone);
    is_other
}

fn renumber(body: &mut [Statement], gone: usize) -> bool {
    body.iter_mut().all(|statement| match statement {
        Statement::Loop(_, body) | Statement::If(_, body) => renumber(body, gone),
        Statement::Switch(_, cases) => cases.iter_mut().all(|case| renumber(case, gone)),
        Statement::Call(number) | Statement::Resume(number) | Statement::Trap(number) => {
            close(number, gone)
        }
        Statement::CallOne(_, numbers) => numbers.iter_mut().all(|number| close(number, gone)),
        Statement::Straight(_)
        | Statement::Recurse(_)
        | Statement::Unwind(_)
        | Statement::Yield => true,
    })
}

/// Lists with one statement less, or with what is inside it in its place.
fn shorter(body: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for (place, statement) in body.iter().enumerate() {
        let with = |inside: Vec<Statement>| [&body[..place], &inside, &body[place + 1..]].concat();
        all.push(with(Vec::new()));
        match statement {
            Statement::Loop(times, inside) => {
                all.push(with(inside.clone()));
                all.extend(
                    shorter(inside).into_iter().map(|one| with(vec![Statement::Loop(*times, one)])),
                );
            }
            Statement::If(pattern, inside) => {
                all.push(with(inside.clone()));
                let of = |one| with(vec![Statement::If(pattern.clone(), one)]);
                all.extend(shorter(inside).into_iter().map(of));
            }
            Statement::Switch(pattern, cases) => {
                for case in 0..cases.len() {
                    all.extend(shorter(&cases[case]).into_iter().map(|one| {
                        let mut cases = cases.clone();
                        cases[case] = one;
                        with(vec![Statement::Switch(pattern.clone(), cases)])
                    }));
                }
            }
            _ => {}
        }
    }
    all
}
