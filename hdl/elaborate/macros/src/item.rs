//! One item of a block: a signal, a memory, a constant or a sub-block.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, Expr, ExprAssign, ExprCall, ExprLit, ExprPath, Ident, Lit, Meta, Pat, Result,
    Token,
};
use syn::{braced, bracketed};

/// What an item declares.
enum Declared {
    /// A wire: its direction, and its width or the bundle or packed word it carries.
    Wire { direction: &'static str, shape: Expr },
    /// A register: its width and its value after reset, 0 unless given; `undefined` where no reset changes it.
    Register { width: Expr, reset: Option<Expr> },
    /// A constant of the configuration.
    Parameter { value: Expr },
    /// A constant that has a name in the Verilog: its width and its value.
    Constant { width: Expr, value: Expr },
    /// A memory: width and depth of it, and its options.
    Memory { width: Expr, depth: Expr, options: Vec<(Ident, Expr)> },
    /// A sub-block: the call that makes it.
    Block { call: Expr },
}

/// Whether an item exists once, under a condition, or once for each of a sequence.
enum Repeat {
    Once,
    If(Box<Expr>),
    For(Box<Pat>, Box<Expr>),
}

pub(crate) struct Item {
    attributes: Vec<Attribute>,
    /// The line in the Verilog where it is made by an expression: `#[remark(format!(..))]`.
    remark: Option<Expr>,
    /// The name in the Verilog of each of a list: `#[label(format!(..))]`.
    label: Option<Expr>,
    pub(crate) name: Ident,
    declared: Declared,
    repeat: Repeat,
}

/// The text of doc comments as one line.
pub(crate) fn remark(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value().trim().to_owned()),
            _ => None,
        },
        _ => None,
    });
    lines.collect::<Vec<_>>().join(" ").replace('`', "").trim().to_owned()
}

/// The first sentence of doc comments, without the marks of links and code.
pub(crate) fn first_sentence(attributes: &[Attribute]) -> String {
    let text = remark(attributes).replace(['[', ']'], "");
    let end = text.find(". ").unwrap_or(text.len());
    text[..end].trim_end_matches('.').to_owned()
}

/// The type of what a call makes, and the function it calls: `Fifo(8)` and `Fifo::new(8)` are alike.
fn constructor(call: &Expr) -> Option<(TokenStream, TokenStream)> {
    let Expr::Call(ExprCall { func, args, .. }) = call else { return None };
    let Expr::Path(ExprPath { path, .. }) = func.as_ref() else { return None };
    let last = path.segments.last()?.ident.to_string();
    if last.starts_with(char::is_uppercase) {
        return Some((quote!(#path), quote!(::new(#args))));
    }
    let mut made = path.clone();
    let function = made.segments.pop()?.into_value();
    made.segments.pop_punct();
    let is_type = made.segments.last()?.ident.to_string().starts_with(char::is_uppercase);
    is_type.then(|| (quote!(#made), quote!(::#function(#args))))
}

impl Parse for Item {
    #[allow(clippy::too_many_lines, reason = "one arm per kind of declaration")]
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let (remarks, attributes): (Vec<_>, Vec<_>) = input
            .call(Attribute::parse_outer)?
            .into_iter()
            .partition(|attribute| attribute.path().is_ident("remark"));
        let remark = remarks.first().map(Attribute::parse_args).transpose()?;
        let (labels, attributes): (Vec<_>, Vec<_>) =
            attributes.into_iter().partition(|attribute| attribute.path().is_ident("label"));
        let label = labels.first().map(Attribute::parse_args).transpose()?;
        let (keyword, span) = if input.peek(Token![in]) {
            let token: Token![in] = input.parse()?;
            ("in".to_owned(), token.span)
        } else {
            let ident: Ident = input.parse()?;
            (ident.to_string(), ident.span())
        };
        let name: Ident = input.parse()?;
        let declared = match keyword.as_str() {
            "in" | "out" | "local" | "view" => {
                input.parse::<Token![:]>()?;
                let direction = match keyword.as_str() {
                    "in" => "In",
                    "out" => "Out",
                    "local" => "Local",
                    _ => "View",
                };
                Declared::Wire { direction, shape: input.parse()? }
            }
            "reg" => {
                input.parse::<Token![:]>()?;
                // To syn, `width = reset` is an assignment.
                match input.parse()? {
                    Expr::Assign(ExprAssign { left, right, .. }) => {
                        Declared::Register { width: *left, reset: Some(*right) }
                    }
                    width => Declared::Register { width, reset: None },
                }
            }
            "param" => {
                input.parse::<Token![=]>()?;
                Declared::Parameter { value: input.parse()? }
            }
            "constant" => {
                input.parse::<Token![:]>()?;
                match input.parse()? {
                    Expr::Assign(ExprAssign { left, right, .. }) => {
                        Declared::Constant { width: *left, value: *right }
                    }
                    other => return Err(Error::new_spanned(other, "expected `width = value`")),
                }
            }
            "memory" => Self::memory(input)?,
            "block" => {
                input.parse::<Token![:]>()?;
                Declared::Block { call: input.parse()? }
            }
            _ => {
                let known =
                    "`in`, `out`, `local`, `view`, `reg`, `param`, `constant`, `memory` or `block`";
                return Err(Error::new(span, format!("expected {known}")));
            }
        };
        let repeat = if input.parse::<Option<Token![if]>>()?.is_some() {
            Repeat::If(input.parse()?)
        } else if input.parse::<Option<Token![for]>>()?.is_some() {
            let pattern = Box::new(Pat::parse_single(input)?);
            input.parse::<Token![in]>()?;
            Repeat::For(pattern, input.parse()?)
        } else {
            Repeat::Once
        };
        input.parse::<Token![;]>()?;
        Ok(Self { attributes, remark, label, name, declared, repeat })
    }
}

impl Item {
    fn memory(input: ParseStream<'_>) -> Result<Declared> {
        input.parse::<Token![:]>()?;
        let shape;
        bracketed!(shape in input);
        let width = shape.parse()?;
        shape.parse::<Token![;]>()?;
        let depth = shape.parse()?;
        let mut options = Vec::new();
        if input.peek(syn::token::Brace) {
            let content;
            braced!(content in input);
            while !content.is_empty() {
                let option: Ident = content.parse()?;
                content.parse::<Token![:]>()?;
                options.push((option, content.parse()?));
                content.parse::<Option<Token![,]>>()?;
            }
        }
        Ok(Declared::Memory { width, depth, options })
    }

    /// The field's declaration in the struct.
    pub(crate) fn field(&self) -> Result<TokenStream> {
        let (kind, _) = self.made()?;
        let kind = match (&self.repeat, &self.declared) {
            (Repeat::For(..), _) => quote!(Vec<#kind>),
            (
                Repeat::If(_),
                Declared::Block { .. } | Declared::Memory { .. } | Declared::Register { .. },
            ) => quote!(::tracewright_elaborate::Opt<#kind>),
            _ => kind,
        };
        let (attributes, name) = (&self.attributes, &self.name);
        let visibility = match &self.declared {
            Declared::Wire { direction: "In" | "Out", .. } => quote!(pub),
            _ => quote!(),
        };
        Ok(quote!(#(#attributes)* #visibility #name: #kind))
    }

    /// The field's value in the constructor.
    pub(crate) fn value(&self) -> Result<TokenStream> {
        let (_, value) = self.made()?;
        let name = &self.name;
        let value = match &self.repeat {
            Repeat::Once => value,
            Repeat::If(condition) => match &self.declared {
                Declared::Block { .. } | Declared::Memory { .. } | Declared::Register { .. } => {
                    quote!(::tracewright_elaborate::Opt::new(#condition, #value))
                }
                _ => {
                    let message = "only blocks, memories and registers can be left out; \
                                   a width of 0 leaves out a wire";
                    return Err(Error::new_spanned(condition, message));
                }
            },
            Repeat::For(pattern, sequence) => {
                quote!(::std::iter::IntoIterator::into_iter(#sequence).map(|#pattern| #value).collect())
            }
        };
        Ok(quote!(#name: #value))
    }

    /// The type of one, and the expression that makes it.
    #[allow(clippy::too_many_lines, reason = "one arm per kind of declaration")]
    fn made(&self) -> Result<(TokenStream, TokenStream)> {
        let text = remark(&self.attributes);
        let describe = match &self.remark {
            Some(made) => quote!(.describe(#made)),
            None if text.is_empty() => quote!(),
            None => quote!(.describe(#text)),
        };
        let of = quote!(::tracewright_elaborate);
        let label = self.label.as_ref().map(|label| quote!(.label(#label)));
        let bits = |width: &Expr| quote_spanned!(width.span()=> #of::Count::count(#width));
        Ok(match &self.declared {
            Declared::Wire { direction, shape } => {
                let side = Ident::new(direction, self.name.span());
                let side = quote!(#of::prelude::#side);
                match constructor(shape).filter(|(_, call)| call.to_string().starts_with(":: new"))
                {
                    Some((kind, call)) => {
                        (quote!(#kind<#side>), quote!(<#kind<#side>> #call #label #describe))
                    }
                    None => {
                        let width = bits(shape);
                        let wire = quote!(#of::Wire::<#side>::new(#width)#label #describe);
                        (quote!(#of::Wire<#side>), wire)
                    }
                }
            }
            Declared::Register { width, reset } => {
                let width = bits(width);
                let new = match reset {
                    Some(Expr::Path(path)) if path.path.is_ident("undefined") => {
                        quote!(#of::Reg::without_reset(#width))
                    }
                    Some(reset) => quote!(#of::Reg::new(#width, #reset)),
                    None => quote!(#of::Reg::new(#width, 0)),
                };
                (quote!(#of::Reg), quote!(#new #label #describe))
            }
            Declared::Parameter { value } => {
                (quote!(#of::Param), quote_spanned!(value.span()=> #of::Param::new(#value)))
            }
            Declared::Constant { width, value } => {
                let width = bits(width);
                let value = quote_spanned!(value.span()=> #of::Param::constant(#width, #value));
                (quote!(#of::Param), quote!(#value #describe))
            }
            Declared::Memory { width, depth, options } => {
                let (width, depth) = (bits(width), bits(depth));
                let mut kind = quote!(#of::Memory);
                let mut value = quote!(#of::Memory::new(#depth, #width));
                for (option, argument) in options {
                    if option == "reads" {
                        let reads = bits(argument);
                        kind = quote!(#of::MultiReadMemory);
                        value = quote!(#of::Memory::with_read_ports(#depth, #width, #reads));
                    } else if option == "synchronous" {
                        value = quote!(#value.synchronous(#argument));
                    } else if option == "cleared" {
                        value = quote!(#value.cleared(#argument));
                    } else {
                        let message = "expected `reads`, `synchronous` or `cleared`";
                        return Err(Error::new_spanned(option, message));
                    }
                }
                (kind, quote!(#value #describe))
            }
            Declared::Block { call } => {
                let message = "expected the call that makes the block, such as `Fifo(8, 32)`";
                let (kind, call) =
                    constructor(call).ok_or_else(|| Error::new_spanned(call, message))?;
                let block = quote!(<#kind> #call);
                match &self.label {
                    None => (kind, block),
                    Some(label) => {
                        (quote!(#of::Labelled<#kind>), quote!(#of::Labelled::new(#label, #block)))
                    }
                }
            }
        })
    }
}
