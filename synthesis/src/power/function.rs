//! Boolean functions as Liberty has them: of pins and of what a cell keeps.

/// A function of variables, which are bits of a state by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Constant(bool),
    Variable(usize),
    Not(Box<Function>),
    And(Box<Function>, Box<Function>),
    Or(Box<Function>, Box<Function>),
    Xor(Box<Function>, Box<Function>),
}

impl Function {
    /// Reads a function; `variable` gives the numbers of names.
    ///
    /// Inversion binds most, then XOR, AND, OR, which is the order of Liberty and not that of Verilog.
    ///
    /// # Errors
    /// What was expected in it.
    pub(super) fn read(
        text: &str,
        variable: &dyn Fn(&str) -> Option<usize>,
    ) -> Result<Function, String> {
        let mut reader = Reader { rest: text.trim_start(), variable };
        let function = reader.or().and_then(|function| match reader.rest {
            "" => Ok(function),
            rest => Err(format!("expected its end at `{rest}`")),
        });
        function.map_err(|reason| format!("the function `{text}`: {reason}"))
    }

    /// Its value in a state.
    pub(super) fn value(&self, state: u32) -> bool {
        match self {
            Function::Constant(value) => *value,
            Function::Variable(number) => state >> number & 1 != 0,
            Function::Not(of) => !of.value(state),
            Function::And(one, other) => one.value(state) && other.value(state),
            Function::Or(one, other) => one.value(state) || other.value(state),
            Function::Xor(one, other) => one.value(state) != other.value(state),
        }
    }

    /// It in Verilog, with these names of its variables.
    pub(super) fn verilog(&self, name: &dyn Fn(usize) -> String) -> String {
        match self {
            Function::Constant(value) => format!("1'b{}", u8::from(*value)),
            Function::Variable(number) => name(*number),
            Function::Not(of) => format!("~{}", of.verilog(name)),
            Function::And(one, other) => two(one, '&', other, name),
            Function::Or(one, other) => two(one, '|', other, name),
            Function::Xor(one, other) => two(one, '^', other, name),
        }
    }

    /// The variables in it.
    pub(super) fn variables(&self) -> Vec<usize> {
        match self {
            Function::Constant(_) => Vec::new(),
            Function::Variable(number) => vec![*number],
            Function::Not(of) => of.variables(),
            Function::And(one, other) | Function::Or(one, other) | Function::Xor(one, other) => {
                [one.variables(), other.variables()].concat()
            }
        }
    }
}

fn two(one: &Function, mark: char, other: &Function, name: &dyn Fn(usize) -> String) -> String {
    format!("({} {mark} {})", one.verilog(name), other.verilog(name))
}

struct Reader<'a> {
    rest: &'a str,
    variable: &'a dyn Fn(&str) -> Option<usize>,
}

impl Reader<'_> {
    /// Goes on if one of these marks is next.
    fn takes(&mut self, marks: &[char]) -> bool {
        let is_next = self.rest.starts_with(marks);
        if is_next {
            self.rest = self.rest[1..].trim_start();
        }
        is_next
    }

    fn or(&mut self) -> Result<Function, String> {
        let mut function = self.and()?;
        while self.takes(&['+', '|']) {
            function = Function::Or(function.into(), self.and()?.into());
        }
        Ok(function)
    }

    fn and(&mut self) -> Result<Function, String> {
        let mut function = self.xor()?;
        // Two operands beside each other are an AND, too.
        let ends = |rest: &str| rest.is_empty() || rest.starts_with([')', '+', '|']);
        while self.takes(&['*', '&']) || !ends(self.rest) {
            function = Function::And(function.into(), self.xor()?.into());
        }
        Ok(function)
    }

    fn xor(&mut self) -> Result<Function, String> {
        let mut function = self.not()?;
        while self.takes(&['^']) {
            function = Function::Xor(function.into(), self.not()?.into());
        }
        Ok(function)
    }

    fn not(&mut self) -> Result<Function, String> {
        if self.takes(&['!']) {
            return Ok(Function::Not(self.not()?.into()));
        }
        let mut function = self.operand()?;
        while self.takes(&['\'']) {
            function = Function::Not(function.into());
        }
        Ok(function)
    }

    fn operand(&mut self) -> Result<Function, String> {
        if self.takes(&['(']) {
            let function = self.or()?;
            return match self.takes(&[')']) {
                true => Ok(function),
                false => Err(format!("expected `)` at `{}`", self.rest)),
            };
        }
        let is_of_name = |c: char| c.is_alphanumeric() || "_[]$.".contains(c);
        let end = self.rest.find(|c| !is_of_name(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        let function = match name {
            "" => return Err(format!("expected a pin at `{}`", self.rest)),
            "0" => Function::Constant(false),
            "1" => Function::Constant(true),
            name => {
                let number = (self.variable)(name);
                Function::Variable(number.ok_or_else(|| format!("it has no pin {name}"))?)
            }
        };
        self.rest = rest.trim_start();
        Ok(function)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Function, String> {
        Function::read(text, &|name| ["A", "B", "C"].iter().position(|pin| *pin == name))
    }

    /// The values in the states 0 to 7, the first one lowest.
    fn table(text: &str) -> u8 {
        let function = read(text).expect(text);
        (0..8).map(|state| u8::from(function.value(state)) << state).sum()
    }

    #[test]
    fn every_way_to_write_a_function() {
        for (texts, expected) in [
            (vec!["A*B", "A & B", "A B", " (A)(B) ", "(A B)"], 0b1000_1000),
            (vec!["A+B", "A|B"], 0b1110_1110),
            (vec!["!A", "A'", "!(A'')"], 0b0101_0101),
            (vec!["A^B*C", "(A^B) C", "((A^B)&(C))"], 0b0110_0000),
            (vec!["A + B !C", "A|(B&!C)"], 0b1010_1110),
            (vec!["1", "A + A'", "!0"], 0xff),
        ] {
            for text in texts {
                assert_eq!(table(text), expected, "{text}");
            }
        }
    }

    #[test]
    fn what_is_no_function() {
        for (text, reason) in [
            ("", "a pin"),
            ("A +", "a pin"),
            ("(A", "expected `)`"),
            ("A)", "its end"),
            ("D", "no pin D"),
            ("A ; B", "a pin"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(reason) && error.contains(text), "{text}: {error}");
        }
    }

    #[test]
    fn verilog_has_the_same_order() {
        let name = |number: usize| ["a", "b", "c"][number].to_owned();
        let verilog = |text| read(text).expect("a function").verilog(&name);
        assert_eq!(verilog("A^B*C + !(A B)"), "(((a ^ b) & c) | ~(a & b))");
        assert_eq!(verilog("A 1"), "(a & 1'b1)");
    }
}
