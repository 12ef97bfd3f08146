//! The page of a study: what was found on top, then sections of boards, heat-maps, charts and tables.

use minijinja::context;
use minijinja::value::Value;

use super::table::Table;
use super::{heat, histogram};
use crate::draw::svg;
use crate::web_page::{self, markup};

const TEMPLATE: &str = include_str!("page.html");
const STUDY_STYLE_SHEET: &str = include_str!("style.css");
/// Sorts tables by the column whose head is pressed. Without it they stand as they are.
const SORT_SCRIPT: &str = include_str!("sort.js");

/// A page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    /// Its title.
    pub(crate) title: String,
    /// Agent, budgets and seed, in a line.
    pub(crate) subtitle: String,
    /// What was found and how sure that is, a paragraph each.
    pub(crate) words: Vec<String>,
    /// Numbers to see first.
    pub(crate) facts: Vec<Fact>,
    /// All the rest.
    pub(crate) sections: Vec<Section>,
}

/// A number with its name.
#[derive(Clone, Debug)]
pub(crate) struct Fact {
    /// The number.
    pub(crate) value: String,
    /// What it is.
    pub(crate) name: String,
}

/// A part of the page with a title.
#[derive(Clone, Debug, Default)]
pub(crate) struct Section {
    /// Its title.
    pub(crate) title: String,
    /// How to read it, a paragraph each.
    pub(crate) notes: Vec<String>,
    /// What it shows.
    pub(crate) blocks: Vec<Block>,
}

/// Something to look at.
#[derive(Clone, Debug)]
pub(crate) enum Block {
    /// Drawings beside each other: boards and heat-maps are small, charts are larger.
    Drawings {
        /// Whether they are charts.
        are_charts: bool,
        /// What is drawn.
        drawings: Vec<Drawing>,
    },
    /// A table, folded up where it is long.
    Table {
        /// Its title.
        title: String,
        /// What it says.
        table: Table,
        /// Whether it is folded up at first.
        is_folded: bool,
    },
    /// Boards or heat-maps that are seen when one asks for them.
    FoldedDrawings {
        /// Their title.
        title: String,
        /// What is drawn.
        drawings: Vec<Drawing>,
    },
    /// Markup that is wider than a phone, or folds itself.
    Markup {
        /// What stands above it; may be empty.
        title: String,
        /// Elements whose words are escaped already.
        html: String,
    },
}

/// A drawing with its words.
#[derive(Clone, Debug)]
pub(crate) struct Drawing {
    /// What stands above it; may be empty.
    pub(crate) title: String,
    /// An `<svg>` element.
    pub(crate) svg: String,
    /// What stands below it, a line each.
    pub(crate) notes: Vec<String>,
}

impl Block {
    /// Boards or heat-maps.
    pub(crate) fn small(drawings: Vec<Drawing>) -> Block {
        Block::Drawings { are_charts: false, drawings }
    }

    /// Charts.
    pub(crate) fn charts(drawings: Vec<Drawing>) -> Block {
        Block::Drawings { are_charts: true, drawings }
    }

    /// A table that is seen at once.
    pub(crate) fn table(title: impl Into<String>, table: Table) -> Block {
        Block::Table { title: title.into(), table, is_folded: false }
    }

    /// A table that is seen when one asks for it.
    pub(crate) fn folded(title: impl Into<String>, table: Table) -> Block {
        Block::Table { title: title.into(), table, is_folded: true }
    }

    fn for_page(&self) -> Value {
        let drawing = |drawing: &Drawing| {
            let svg = markup(drawing.svg.clone());
            context! { title => &drawing.title, svg, notes => &drawing.notes }
        };
        let drawn = |drawings: &[Drawing]| drawings.iter().map(drawing).collect::<Vec<_>>();
        match self {
            Block::Drawings { are_charts, drawings } => context! { are_charts, drawings => drawn(drawings) },
            Block::FoldedDrawings { title, drawings } => {
                context! { title, are_charts => false, is_folded => true, drawings => drawn(drawings) }
            }
            Block::Markup { title, html } => context! { title, html => markup(html.clone()) },
            Block::Table { title, table, is_folded } => {
                context! { title, table => table.for_page(), is_folded }
            }
        }
    }
}

impl Page {
    /// The page as HTML, which needs nothing but itself.
    ///
    /// # Errors
    /// Never, as long as the template is sound.
    pub(crate) fn html(&self) -> Result<String, minijinja::Error> {
        let section = |section: &Section| {
            let blocks: Vec<Value> = section.blocks.iter().map(Block::for_page).collect();
            context! { title => &section.title, notes => &section.notes, blocks }
        };
        let fact = |fact: &Fact| context! { value => &fact.value, name => &fact.name };
        web_page::render(
            TEMPLATE,
            &[svg::STYLE_SHEET, heat::STYLE_SHEET, histogram::STYLE_SHEET, STUDY_STYLE_SHEET],
            context! {
                title => &self.title,
                subtitle => &self.subtitle,
                words => &self.words,
                facts => self.facts.iter().map(fact).collect::<Vec<_>>(),
                sections => self.sections.iter().map(section).collect::<Vec<_>>(),
                script => markup(SORT_SCRIPT),
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::{Look, column};
    use super::*;

    #[test]
    fn a_page_shows_everything_and_escapes_words() {
        let mut table = Table::new(&[column("a", "first", Look::Plain), column("b", "", Look::Plain)]);
        table.push(vec!["<b>".into(), "left out of it".into()]);
        let drawing = Drawing { title: "A board".into(), svg: "<svg></svg>".into(), notes: vec!["below".into()] };
        let blocks = vec![Block::small(vec![drawing]), Block::folded("Rows", table)];
        let section = Section { title: "Part".into(), notes: vec!["how to read it".into()], blocks };
        let page = Page { title: "A & B".into(), sections: vec![section], ..Page::default() };
        let html = page.html().unwrap();
        for text in
            ["A &amp; B", "how to read it", "<svg></svg>", "below", "&lt;b&gt;", "<summary>Rows", "addEventListener"]
        {
            assert!(html.contains(text), "{text}: {html}");
        }
        assert!(!html.contains("left out of it") && !html.contains("://"));
    }
}
