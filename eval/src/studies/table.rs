//! Tables that a study writes: whole as CSV for programs, in parts on its page for people.

use std::fmt::Write;

use minijinja::context;
use minijinja::value::Value;

use crate::csv::quoted;
use crate::signed::signed;

/// What stands in a place of a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    /// Words.
    Text(String),
    /// A count.
    Count(u64),
    /// A number.
    Number(f64),
    /// Nothing is known.
    Missing,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Cell {
        Cell::Count(count as u64)
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Cell {
        Cell::Count(count)
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Cell {
        Cell::Number(number)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Cell {
        cell.map_or(Cell::Missing, T::into)
    }
}

/// How the numbers of a column look on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// As they are.
    Plain,
    /// Without digits behind the point.
    Whole,
    /// With two digits behind the point.
    Rounded,
    /// The same, and a sign: what is good for red is positive.
    Signed,
    /// A share of a whole, in percent.
    Percent,
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    /// Its name in the CSV file.
    pub(crate) name: &'static str,
    /// Its head on a page; columns with an empty one are not shown there.
    pub(crate) head: &'static str,
    /// How its numbers look on a page.
    pub(crate) look: Look,
}

/// A column, in short.
pub(crate) const fn column(name: &'static str, head: &'static str, look: Look) -> Column {
    Column { name, head, look }
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    /// Its columns.
    pub(crate) columns: Vec<Column>,
    /// Its rows, each with a cell for every column.
    pub(crate) rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows.
    pub(crate) fn new(columns: &[Column]) -> Table {
        Table { columns: columns.to_vec(), rows: Vec::new() }
    }

    /// Adds a row with a cell for every column.
    pub(crate) fn push(&mut self, row: Vec<Cell>) {
        debug_assert_eq!(row.len(), self.columns.len());
        self.rows.push(row);
    }

    /// The table as CSV, with a line of names. Numbers have all their digits; what is not known is empty.
    pub(crate) fn csv(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name).collect();
        let mut out = names.join(",") + "\n";
        for row in &self.rows {
            for (index, cell) in row.iter().enumerate() {
                let comma = if index == 0 { "" } else { "," };
                // Writing to a string cannot fail.
                let _ = match cell {
                    Cell::Text(text) => write!(out, "{comma}{}", quoted(text)),
                    Cell::Count(count) => write!(out, "{comma}{count}"),
                    Cell::Number(number) if number.is_finite() => write!(out, "{comma}{number}"),
                    Cell::Number(_) | Cell::Missing => write!(out, "{comma}"),
                };
            }
            out.push('\n');
        }
        out
    }

    /// The shown columns for a page: `heads` of `text` and `is_number`, `rows` of cells of `text`, and the `number` to sort by.
    pub(crate) fn for_page(&self) -> Value {
        let shown: Vec<usize> = (0..self.columns.len()).filter(|&index| !self.columns[index].head.is_empty()).collect();
        let is_number = |index: usize| !self.rows.iter().any(|row| matches!(row[index], Cell::Text(_)));
        let head = |&index: &usize| context! { text => self.columns[index].head, is_number => is_number(index) };
        let cell = |row: &Vec<Cell>, index: usize| {
            let number = match row[index] {
                Cell::Count(count) => Some(count as f64),
                Cell::Number(number) => Some(number),
                Cell::Text(_) | Cell::Missing => None,
            };
            context! { text => text(&row[index], self.columns[index].look), number, is_number => is_number(index) }
        };
        let row = |row: &Vec<Cell>| shown.iter().map(|&index| cell(row, index)).collect::<Vec<_>>();
        context! {
            heads => shown.iter().map(head).collect::<Vec<_>>(),
            rows => self.rows.iter().map(row).collect::<Vec<_>>(),
        }
    }

    /// The same table with only the rows at these places, in this order.
    pub(crate) fn at(&self, rows: &[usize]) -> Table {
        let rows = rows.iter().filter_map(|&row| self.rows.get(row).cloned()).collect();
        Table { columns: self.columns.clone(), rows }
    }
}

/// A cell as people read it.
fn text(cell: &Cell, look: Look) -> String {
    match (cell, look) {
        (Cell::Text(text), _) => text.clone(),
        (Cell::Count(count), _) => count.to_string(),
        (Cell::Missing, _) => "–".to_owned(),
        (Cell::Number(number), Look::Plain) => format!("{number}"),
        (Cell::Number(number), Look::Whole) => format!("{:.0}", number + 0.0),
        (Cell::Number(number), Look::Rounded) => format!("{number:.2}"),
        (Cell::Number(number), Look::Signed) => signed(*number),
        (Cell::Number(number), Look::Percent) => format!("{:.1} %", 100.0 * number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_written_with_all_digits_and_gaps_for_what_is_not_known() {
        let mut table = Table::new(&[
            column("name", "name", Look::Plain),
            column("count", "", Look::Plain),
            column("value", "value", Look::Signed),
        ]);
        table.push(vec!["a, \"b\"".into(), 3_usize.into(), (1.0 / 3.0).into()]);
        table.push(vec!["c".into(), Cell::Missing, f64::NAN.into()]);
        assert_eq!(table.csv(), "name,count,value\n\"a, \"\"b\"\"\",3,0.3333333333333333\nc,,\n");
    }
}
