//! A kernel in RustHDL's own form, and the same with the names of a model.

use crate::harness::compare;
use tracewright_elaborate::prelude::*;
use tracewright_elaborate::{Options, elaborate};

macro_rules! counter {
    ($name:ident) => {
        block! {
            pub $name("counter") of (width: usize, has_flag: bool);
            parameters { width, has_flag = usize::from(has_flag) }

            in clear: 1;
            in step: width;
            out count: width;
            out flag: usize::from(has_flag);
            out upper: 2;
            reg held: width = 1;
            param has_flag = usize::from(has_flag);
        }
    };
}

counter!(Plain);
counter!(Named);

impl Logic for Plain {
    #[hdl_gen]
    fn update(&mut self) {
        self.held.d.next = self.held.q.val() + self.step.val();
        if self.clear.val().any() && !(self.held.q.val() & self.step.val()).any() {
            self.held.d.next = 0.into();
        }
        self.count.next = self.held.q.val();
        self.upper.next = bits_to(self.held.q.val() >> 1, self.upper.width());
        if self.has_flag.val() == 1 {
            self.flag.next = bits_to(self.held.q.val() == self.step.val(), 1);
        }
    }
}

#[kernel]
impl Logic for Named {
    fn update(&mut self) {
        held.d = held.q + step;
        if clear && !(held.q & step) {
            held.d = 0;
        }
        count = held.q;
        upper = resized(held.q >> 1);
        if when(has_flag) {
            flag = held.q == step;
        }
    }
}

crate::bench!(Plain, [clear, step], [count, flag, upper]);
crate::bench!(Named, [clear, step], [count, flag, upper]);

#[test]
fn both_forms_are_the_same_hardware() {
    for has_flag in [false, true] {
        let options = Options::new("forms");
        let plain = elaborate(&Plain::new(8, has_flag), &options).expect("a block");
        let named = elaborate(&Named::new(8, has_flag), &options).expect("a block");
        assert_eq!(plain.modules[0].text, named.modules[0].text);
        assert_eq!(named.modules[0].text.contains("flag"), has_flag);
    }
    compare(Named::new(8, true));
}
