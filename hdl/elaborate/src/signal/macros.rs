/// Clocks registers, resets them and makes each keep its value unless the kernel writes its `d` further on:
/// `dff_setup!(self, domain, first, second)`, or `dff_setup!(self, domain, stages[i])` in a loop.
///
/// RustHDL's `hdl_gen` knows a macro of this name and reads its arguments itself.
#[macro_export]
macro_rules! dff_setup {
    ($self:ident, $domain:ident, $($register:ident $([$index:expr])*),+ $(,)?) => {
        $(
            $self.$register$([$index])*.clock.next = $self.$domain.val();
            $self.$register$([$index])*.d.next = $self.$register$([$index])*.q.val();
        )+
    };
}

/// Clocks memories: `clock!(self, domain, table)`, or `clock!(self, domain, banks[i])` in a loop.
///
/// RustHDL's `hdl_gen` knows a macro of this name and reads its arguments itself.
#[macro_export]
macro_rules! clock {
    ($self:ident, $domain:ident, $($memory:ident $([$index:expr])*),+ $(,)?) => {
        $($self.$memory$([$index])*.clock.next = $self.$domain.val();)+
    };
}
