//! Many changes in one build: each in a branch that is taken if the environment names its number.
//!
//! A change that needs a build costs minutes where a test program costs seconds. So the operators, guards, arms and
//! bodies of functions that are to be changed become `if chosen(7) { changed } else { as it stands }`. What is
//! computed by the compiler cannot ask the environment: such places are left to builds of their own.

use core::ops::Range;
use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::LineColumn;
use serde_json::Value;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::places::{Genre, Place};

/// Names the change that a process makes, by its number.
pub(super) const VARIABLE: &str = "CARRYLESS_CHANGE";

/// What is added to the root of a crate.
pub(super) const ROOT: &str = "
/// Changes of the code that the environment chooses.
mod chosen_change {
    extern crate std;

    #[allow(dead_code)]
    pub(crate) fn is(number: u32) -> bool {
        static CHOSEN: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
        let read = || {
            let text = std::env::var(\"CARRYLESS_CHANGE\").ok();
            text.and_then(|text| text.parse().ok()).unwrap_or(0)
        };
        *CHOSEN.get_or_init(read) == number
    }
}
";

/// A file with switches, and where they are in it.
pub(super) struct Switched {
    pub(super) code: String,
    /// The numbers of the changes in it, and the bytes that are there for each.
    pub(super) parts: Vec<(usize, Range<usize>)>,
}

/// A file in which these changes, by their numbers, are switches: those that it can have so.
pub(super) fn switched(code: &str, places: &[(usize, &Place)]) -> Result<Switched, String> {
    let file = syn::parse_file(code).map_err(|error| error.to_string())?;
    let mut found = Found {
        code,
        wanted: BTreeMap::new(),
        rewrites: Vec::new(),
    };
    for (number, place) in places {
        let at = found.byte(place.start);
        let at = at.ok_or_else(|| format!("{}: no such place", place.name()))?;
        found.wanted.entry(at).or_default().push((*number, place));
    }
    found.visit_file(&file);
    // The outer before what is in it.
    found
        .rewrites
        .sort_by_key(|rewrite| (rewrite.range.start, core::cmp::Reverse(rewrite.range.end)));
    let mut switched = Switched {
        code: String::new(),
        parts: Vec::new(),
    };
    switched.copy(code, 0..code.len(), &found.rewrites);
    Ok(switched)
}

/// A range of the code that becomes another.
struct Rewrite {
    range: Range<usize>,
    how: How,
}

enum How {
    /// Other code if it is chosen, by the number; else the same.
    Either(Vec<(usize, String)>),
    /// Code that is added, which is nothing if it is not chosen.
    Added(usize, String),
    /// A guard: never true, true and false where these are chosen.
    Guard {
        never: Vec<usize>,
        always: Vec<usize>,
        fails: Vec<usize>,
    },
}

impl Switched {
    /// Writes a range of the code with its rewrites, which are in order.
    fn copy(&mut self, code: &str, range: Range<usize>, rewrites: &[Rewrite]) {
        let mut at = range.start;
        for (i, rewrite) in rewrites.iter().enumerate() {
            if rewrite.range.start < at || rewrite.range.end > range.end {
                continue;
            }
            self.code += &code[at..rewrite.range.start];
            at = rewrite.range.end;
            self.rewrite(code, rewrite, &rewrites[i + 1..]);
        }
        self.code += &code[at..range.end];
    }

    fn rewrite(&mut self, code: &str, rewrite: &Rewrite, inner: &[Rewrite]) {
        match &rewrite.how {
            How::Added(number, text) => self.part(*number, text),
            How::Either(others) => {
                self.code += "(";
                for (number, text) in others {
                    let chosen = chosen(*number);
                    self.part(*number, &format!("if {chosen} {{ {text} }} else "));
                }
                self.code += "{ ";
                self.copy(code, rewrite.range.clone(), inner);
                self.code += " })";
            }
            How::Guard {
                never,
                always,
                fails,
            } => {
                let mut closing = 0;
                for (numbers, not, join) in
                    [(never, "!", "&&"), (always, "", "||"), (fails, "!", "&&")]
                {
                    for number in numbers {
                        let chosen = chosen(*number);
                        self.part(*number, &format!("{not}{chosen} {join} ("));
                        closing += 1;
                    }
                }
                self.copy(code, rewrite.range.clone(), inner);
                self.code += &")".repeat(closing);
            }
        }
    }

    fn part(&mut self, number: usize, text: &str) {
        let start = self.code.len();
        self.code += text;
        self.parts.push((number, start..self.code.len()));
    }

    /// The changes whose code lies in a range.
    fn touched(&self, at: &Range<usize>) -> impl Iterator<Item = usize> {
        let touched =
            |part: &&(usize, Range<usize>)| part.1.start < at.end && at.start < part.1.end;
        self.parts.iter().filter(touched).map(|(number, _)| *number)
    }

    /// The last change before a place.
    fn before(&self, at: usize) -> Option<usize> {
        let before = self.parts.iter().filter(|part| part.1.end <= at);
        before.max_by_key(|part| part.1.end).map(|part| part.0)
    }
}

/// What asks for a change.
fn chosen(number: usize) -> String {
    format!("crate::chosen_change::is({number})")
}

/// The places that are wanted, and what becomes of them.
struct Found<'c> {
    code: &'c str,
    /// By their first byte.
    wanted: BTreeMap<usize, Vec<(usize, &'c Place)>>,
    rewrites: Vec<Rewrite>,
}

impl<'c> Found<'c> {
    /// Where a line and column, from 1, begin.
    fn byte(&self, (line, column): (u64, u64)) -> Option<usize> {
        let (line, column) = (usize::try_from(line).ok()?, usize::try_from(column).ok()?);
        self.byte_at(LineColumn {
            line,
            column: column.checked_sub(1)?,
        })
    }

    fn byte_at(&self, at: LineColumn) -> Option<usize> {
        let lines = self.code.split_inclusive('\n');
        let before: usize = lines
            .clone()
            .take(at.line.checked_sub(1)?)
            .map(str::len)
            .sum();
        let line = lines.clone().nth(at.line - 1)?;
        let mut letters = line.char_indices().map(|(at, _)| at);
        Some(before + letters.nth(at.column).unwrap_or(line.len()))
    }

    fn range(&self, code: &impl Spanned) -> Option<Range<usize>> {
        let span = code.span();
        Some(self.byte_at(span.start())?..self.byte_at(span.end())?)
    }

    /// Takes the changes of a genre that begin at this code.
    fn take(&mut self, code: &impl Spanned, genre: Genre) -> Vec<(usize, &'c Place)> {
        let Some(at) = self.range(code) else {
            return Vec::new();
        };
        let wanted = self.wanted.get_mut(&at.start);
        wanted.map_or_else(Vec::new, |wanted| {
            wanted
                .extract_if(.., |(_, place)| place.genre == genre)
                .collect()
        })
    }

    fn add(&mut self, range: Range<usize>, how: How) {
        self.rewrites.push(Rewrite { range, how });
    }

    /// Changes of an operator within an expression.
    fn operators(
        &mut self,
        whole: &impl Spanned,
        operator: &impl Spanned,
        changes: &[(usize, &Place)],
    ) {
        let (Some(whole), Some(operator)) = (self.range(whole), self.range(operator)) else {
            return;
        };
        let (before, after) = (
            &self.code[whole.start..operator.start],
            &self.code[operator.end..whole.end],
        );
        let text = |place: &Place| format!("{before}{}{after}", place.replacement);
        let others: Vec<_> = changes.iter().map(|(n, place)| (*n, text(place))).collect();
        if !others.is_empty() {
            self.add(whole, How::Either(others));
        }
    }

    /// Bodies that become a value.
    fn body(&mut self, block: &syn::Block) {
        let Some(first) = block.stmts.first() else {
            return;
        };
        for (number, place) in self.take(first, Genre::FnValue) {
            let at = self.byte(place.start).unwrap_or_default();
            let value = &place.replacement;
            let text = format!("if {} {{ return {value}; }} ", chosen(number));
            self.add(at..at, How::Added(number, text));
        }
    }
}

impl<'ast> Visit<'ast> for Found<'_> {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        if function.sig.constness.is_none() {
            self.body(&function.block);
            visit::visit_item_fn(self, function);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if function.sig.constness.is_none() {
            self.body(&function.block);
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.body(block);
        }
        visit::visit_trait_item_fn(self, function);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        // What a condition binds would stay in its branch.
        if !binds(&binary.left) && !binds(&binary.right) {
            let changes = self.take(&binary.op, Genre::BinaryOperator);
            self.operators(binary, &binary.op, &changes);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        let changes = self.take(&unary.op, Genre::UnaryOperator);
        self.operators(unary, &unary.op, &changes);
        visit::visit_expr_unary(self, unary);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let numbers = |changes: Vec<(usize, &Place)>| -> Vec<usize> {
            changes.into_iter().map(|(number, _)| number).collect()
        };
        let never = numbers(self.take(arm, Genre::MatchArm));
        if let syn::Pat::Guard(guarded) = &arm.pat {
            let changes = self.take(&guarded.guard, Genre::MatchArmGuard);
            let (always, fails) = changes
                .into_iter()
                .partition(|(_, place)| place.replacement == "true");
            let how = How::Guard {
                never,
                always: numbers(always),
                fails: numbers(fails),
            };
            if let Some(range) = self.range(&guarded.guard) {
                self.add(range, how);
            }
        } else if let Some(pattern) = self.range(&arm.pat) {
            for number in never {
                let text = format!(" if !{}", chosen(number));
                self.add(pattern.end..pattern.end, How::Added(number, text));
            }
        }
        visit::visit_arm(self, arm);
    }

    // What the compiler computes.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_variant(&mut self, _: &'ast syn::Variant) {}

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }
}

/// Whether a condition binds names.
fn binds(condition: &syn::Expr) -> bool {
    match condition {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => binds(&binary.left) || binds(&binary.right),
        _ => false,
    }
}

/// The changes whose code an error of the compiler points at; if there are none, those before it, as the value of a body
/// is what does not fit an earlier `return`.
pub(super) fn at_fault(error: &Value, files: &BTreeMap<String, Switched>) -> BTreeSet<usize> {
    let spans = error["spans"].as_array().into_iter().flatten();
    let found = spans.filter_map(|span| {
        let file = files.get(span["file_name"].as_str()?)?;
        let byte = |name: &str| usize::try_from(span[name].as_u64()?).ok();
        Some((file, byte("byte_start")?..byte("byte_end")?))
    });
    let spans: Vec<_> = found.collect();
    let touched: BTreeSet<usize> = spans
        .iter()
        .flat_map(|(file, at)| file.touched(at))
        .collect();
    if touched.is_empty() {
        return spans
            .iter()
            .filter_map(|(file, at)| file.before(at.start))
            .collect();
    }
    touched
}

#[cfg(test)]
mod tests;
