//! `packed!`: a word with named fields.

use crate::item::remark;
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Block, Error, Expr, FnArg, Ident, Result, Stmt, Token, Visibility, parenthesized,
};

struct Field {
    attributes: Vec<Attribute>,
    name: Ident,
    width: Option<Expr>,
}

/// `pub Name of (arguments) { let ..; } field: width; ..`, or `pub Name of layout(arguments); field; ..`
/// where a value `layout` tells every field's width by its name.
pub(crate) struct Definition {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    name: Ident,
    arguments: Punctuated<FnArg, Token![,]>,
    prepared: Vec<Stmt>,
    fields: Vec<Field>,
}

impl Parse for Field {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let name = input.parse()?;
        let width = input.parse::<Option<Token![:]>>()?.map(|_| input.parse()).transpose()?;
        input.parse::<Token![;]>()?;
        Ok(Self { attributes, name, width })
    }
}

impl Parse for Definition {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let name = input.parse()?;
        let of: Ident = input.parse()?;
        if of != "of" {
            return Err(Error::new(of.span(), "expected `of`"));
        }
        let arguments;
        parenthesized!(arguments in input);
        let arguments = Punctuated::parse_terminated(&arguments)?;
        let prepared = if input.parse::<Option<Token![;]>>()?.is_some() {
            Vec::new()
        } else {
            input.parse::<Block>()?.stmts
        };
        let mut fields = Vec::new();
        while !input.is_empty() {
            fields.push(input.parse()?);
        }
        Ok(Self { attributes, visibility, name, arguments, prepared, fields })
    }
}

impl Definition {
    #[allow(clippy::too_many_lines, reason = "most of it is the template of what is declared")]
    pub(crate) fn expand(self) -> Result<TokenStream> {
        let Self { attributes, visibility, name, arguments, prepared, fields } = self;
        if fields.is_empty() {
            return Err(Error::new_spanned(&name, "a packed word has fields"));
        }
        let of = quote!(::tracewright_elaborate);
        let names: Vec<&Ident> = fields.iter().map(|field| &field.name).collect();
        let texts: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        let documents = fields.iter().map(|field| &field.attributes);
        let remarks: Vec<String> = fields.iter().map(|field| remark(&field.attributes)).collect();
        let widths = fields.iter().map(|field| match &field.width {
            Some(width) => quote!(#of::Count::count(#width)),
            None => {
                let name = field.name.to_string();
                quote!(#of::Count::count(layout(#name)))
            }
        });
        let summary = format!("Makes a [`{name}`] for its configuration.");
        Ok(quote! {
            #(#attributes)*
            #[allow(missing_docs)]
            #visibility struct #name<S: #of::Side> {
                /// The whole word, for those who connect it.
                pub next: #of::Word,
                state: #of::PackedState<S>,
                #(#(#documents)* pub #names: #of::Part,)*
            }

            impl<S: #of::Side> #name<S> {
                /// The names of the fields, the one in the lowest bits first.
                pub const FIELDS: &'static [&'static str] = &[#(#texts,)*];

                #[doc = #summary]
                pub fn new(#arguments) -> Self {
                    #(#prepared)*
                    let parts = [#(#of::Part::new(#widths).describe(#remarks),)*];
                    let state = #of::PackedState::new(parts.iter().map(#of::Part::width).sum());
                    let [#(#names,)*] = parts;
                    Self { next: #of::Word::zero(state.width()), state, #(#names,)* }
                }

                /// Adds one line that the Verilog carries beside the declaration.
                pub fn describe(mut self, description: impl Into<String>) -> Self {
                    self.state.describe(description.into());
                    self
                }

                /// The number of bits.
                pub fn width(&self) -> usize {
                    self.state.width()
                }

                /// The whole word.
                pub fn val(&self) -> #of::Word {
                    self.state.value(&self.next, &[#(&self.#names,)*])
                }
            }

            impl<S: #of::Side> Logic for #name<S> {
                fn update(&mut self) {}
            }

            impl<S: #of::Side> Block for #name<S> {
                fn connect_all(&mut self) {}

                fn update_all(&mut self) {
                    self.state.update(&mut self.next, &mut [#(&mut self.#names,)*]);
                }

                fn has_changed(&self) -> bool {
                    self.state.has_changed()
                }

                fn accept(&self, name: &str, probe: &mut dyn probe::Probe) {
                    self.state.accept(name, &[#((#texts, &self.#names),)*], probe);
                }
            }
        })
    }
}
