//! Everything a design can have wrong, and how it is said.

/// A test that a block of these fields and this kernel is refused with this message.
///
/// The kernel comes with its attribute: what `hdl_gen` adds must see the same `self`.
macro_rules! refused {
    ($name:ident, { $($field:ident: $type:ty = $value:expr),* $(,)? }, { $($kernel:tt)* }, $message:expr $(,)?) => {
        #[test]
        fn $name() {
            #[derive(LogicBlock)]
            struct Faulty {
                kind: Kind,
                $($field: $type),*
            }
            impl Logic for Faulty {
                $($kernel)*
            }
            let block = Faulty { kind: Kind::plain("faulty"), $($field: $value),* };
            let error = elaborate(&block, &Options::new("top")).expect_err("a fault");
            assert_eq!(error.to_string(), $message);
        }
    };
}

mod drivers;
mod fields;
mod names;
mod source;
mod widths;
