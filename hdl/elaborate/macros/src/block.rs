//! `block!`: the struct of a block and its constructor.

use crate::item::{Item, first_sentence};
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Block, Error, Expr, FnArg, Generics, Ident, Result, Stmt, Token, Visibility};
use syn::{braced, parenthesized};

/// Parameters that the module's header states.
enum Stated {
    /// A name, its value, and when it is stated.
    One { name: Ident, value: Option<Box<Expr>>, condition: Option<Box<Expr>> },
    /// Names and values that an expression gives.
    All(Box<Expr>),
}

pub(crate) struct Definition {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    name: Ident,
    generics: Generics,
    module: Expr,
    arguments: Punctuated<FnArg, Token![,]>,
    prepared: Vec<Stmt>,
    parameters: Vec<Stated>,
    items: Vec<Item>,
}

mod keyword {
    syn::custom_keyword!(of);
    syn::custom_keyword!(parameters);
}

impl Parse for Stated {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.parse::<Option<Token![..]>>()?.is_some() {
            return input.parse().map(Self::All);
        }
        let name = input.parse()?;
        let value = input.parse::<Option<Token![=]>>()?.map(|_| input.parse()).transpose()?;
        let condition = input.parse::<Option<Token![if]>>()?.map(|_| input.parse()).transpose()?;
        Ok(Self::One { name, value, condition })
    }
}

impl Stated {
    /// The statement that adds the parameters to the list.
    fn added(&self) -> TokenStream {
        let (name, value, condition) = match self {
            Self::One { name, value, condition } => (name, value, condition),
            Self::All(parameters) => return quote!(stated_parameters.extend(#parameters);),
        };
        let text = name.to_string();
        let value = value.as_ref().map_or_else(|| quote!(#name), |value| quote!(#value));
        let pair = quote!((#text, ::tracewright_elaborate::Count::count(#value)));
        match condition {
            Some(condition) => {
                quote!(if ::tracewright_elaborate::Count::count(#condition) > 0 { stated_parameters.push(#pair); })
            }
            None => quote!(stated_parameters.push(#pair);),
        }
    }
}

impl Parse for Definition {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let name = input.parse()?;
        let module;
        parenthesized!(module in input);
        let module = module.parse()?;
        input.parse::<keyword::of>()?;
        let generics = input.parse()?;
        let arguments;
        parenthesized!(arguments in input);
        let arguments = Punctuated::parse_terminated(&arguments)?;
        let prepared = if input.parse::<Option<Token![;]>>()?.is_some() {
            Vec::new()
        } else {
            input.parse::<Block>()?.stmts
        };
        let mut parameters = Vec::new();
        if input.parse::<Option<keyword::parameters>>()?.is_some() {
            let content;
            braced!(content in input);
            parameters =
                Punctuated::<Stated, Token![,]>::parse_terminated(&content)?.into_iter().collect();
        }
        let mut items = Vec::new();
        while !input.is_empty() {
            items.push(input.parse()?);
        }
        Ok(Self {
            attributes,
            visibility,
            name,
            generics,
            module,
            arguments,
            prepared,
            parameters,
            items,
        })
    }
}

impl Definition {
    pub(crate) fn expand(self) -> Result<TokenStream> {
        self.check_names()?;
        let fields = self.items.iter().map(Item::field).collect::<Result<Vec<_>>>()?;
        let values = self.items.iter().map(Item::value).collect::<Result<Vec<_>>>()?;
        let Self { attributes, visibility, name, generics, module, arguments, prepared, .. } =
            &self;
        let of = quote!(::tracewright_elaborate);
        let parameters = self.parameters.iter().map(Stated::added);
        let mutability = if self.parameters.is_empty() { quote!() } else { quote!(mut) };
        let summary = format!("Makes a [`{name}`] for its configuration.");
        let description = first_sentence(attributes);
        Ok(quote! {
            #(#attributes)*
            #[derive(LogicBlock)]
            #[allow(missing_docs)]
            #visibility struct #name {
                module_kind: #of::Kind,
                #(#fields,)*
            }

            impl #name {
                #[doc = #summary]
                #[allow(clippy::redundant_field_names)]
                #visibility fn new #generics (#arguments) -> Self {
                    #(#prepared)*
                    let #mutability stated_parameters: Vec<(&str, usize)> = Vec::new();
                    #(#parameters)*
                    Self {
                        module_kind: #of::Kind::new(#module, stated_parameters)
                            .describe(#description),
                        #(#values,)*
                    }
                }
            }
        })
    }

    /// Refuses the second of two items with one name; Rust's own message would show the macro and not the item.
    fn check_names(&self) -> Result<()> {
        let names: Vec<&Ident> = self.items.iter().map(|item| &item.name).collect();
        let second = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name));
        second.map_or(Ok(()), |(_, name)| {
            Err(Error::new_spanned(name, format!("`{name}` is declared twice")))
        })
    }
}
