//! `bundle!`: ports that belong together.

use crate::item::remark;
use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Block, Error, Expr, FnArg, Ident, Result, Stmt, Token, Visibility, parenthesized,
};

struct Field {
    attributes: Vec<Attribute>,
    /// Whether it flows as the bundle does: from the side with `Out` to the side with `In`.
    is_forward: bool,
    name: Ident,
    /// The name in the Verilog, where Rust does not allow it: `is_return as return`.
    label: Option<Ident>,
    width: Expr,
}

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
        let direction: Ident = input.parse()?;
        let is_forward = match direction.to_string().as_str() {
            "forward" => true,
            "backward" => false,
            _ => return Err(Error::new(direction.span(), "expected `forward` or `backward`")),
        };
        let name = input.parse()?;
        let label = input.parse::<Option<Token![as]>>()?.map(|_| input.call(Ident::parse_any));
        let label = label.transpose()?;
        input.parse::<Token![:]>()?;
        let width = input.parse()?;
        input.parse::<Token![;]>()?;
        Ok(Self { attributes, is_forward, name, label, width })
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
        let of = quote!(::tracewright_elaborate);
        let names: Vec<&Ident> = fields.iter().map(|field| &field.name).collect();
        let texts: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        let labels =
            fields.iter().map(|field| field.label.as_ref().unwrap_or(&field.name).to_string());
        let documents = fields.iter().map(|field| &field.attributes);
        let remarks: Vec<String> = fields.iter().map(|field| remark(&field.attributes)).collect();
        let widths = fields.iter().map(|field| &field.width);
        let kinds: Vec<TokenStream> = fields
            .iter()
            .map(|field| if field.is_forward { quote!(S::Forward) } else { quote!(S::Backward) })
            .collect();
        let forward: Vec<bool> = fields.iter().map(|field| field.is_forward).collect();
        let joins = fields.iter().map(|Field { name, is_forward, .. }| {
            if *is_forward {
                quote!(to.#name.next = self.#name.val();)
            } else {
                quote!(self.#name.next = to.#name.val();)
            }
        });
        let Some(first) = names.first() else {
            return Err(Error::new_spanned(&name, "a bundle has members"));
        };
        let summary = format!("Makes a [`{name}`] for its configuration.");
        Ok(quote! {
            #(#attributes)*
            #[allow(missing_docs)]
            #visibility struct #name<S: #of::Side> {
                #(#(#documents)* pub #names: #of::Wire<#kinds>,)*
                bundle_label: Option<String>,
            }

            impl<S: #of::Side> #name<S> {
                #[doc = #summary]
                pub fn new(#arguments) -> Self {
                    #(#prepared)*
                    Self {
                        #(#names: #of::Wire::new(#of::Count::count(#widths)).describe(#remarks),)*
                        bundle_label: None,
                    }
                }

                /// Gives the bundle another name in the Verilog than its field's; a number at its end ends its members' names.
                pub fn label(mut self, label: impl Into<String>) -> Self {
                    self.bundle_label = Some(label.into());
                    self
                }

                /// Adds one line that the Verilog carries beside the first port.
                pub fn describe(mut self, description: impl Into<String>) -> Self {
                    self.#first.set_description(description.into());
                    self
                }
            }

            impl<A: #of::Side, B: #of::Side> #of::Join<#name<B>> for #name<A> {
                fn join(&mut self, to: &mut #name<B>) {
                    #(#joins)*
                }
            }

            // RustHDL's `hdl_gen` asks for it where bundles are joined.
            impl<S: #of::Side> logic::LogicJoin for #name<S> {}

            impl<S: #of::Side> Logic for #name<S> {
                fn update(&mut self) {}
            }

            impl<S: #of::Side> Block for #name<S> {
                fn connect_all(&mut self) {
                    #(self.#names.connect_all();)*
                }

                fn update_all(&mut self) {
                    #(self.#names.update_all();)*
                }

                fn has_changed(&self) -> bool {
                    #(self.#names.has_changed())||*
                }

                fn accept(&self, name: &str, probe: &mut dyn probe::Probe) {
                    #of::offer_bundle(name, &[#((#texts, #forward),)*], probe);
                    let label = self.bundle_label.as_deref().unwrap_or(name);
                    #(self.#names.accept_as_member((name, label), (#texts, #labels), probe);)*
                }
            }
        })
    }
}
