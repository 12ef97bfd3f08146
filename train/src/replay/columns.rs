//! Records as Arrow columns, both ways.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use arrow_array::builder::{ArrayBuilder, Float32Builder, ListBuilder, UInt16Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Float32Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, Float32Array, ListArray, RecordBatch, StringArray};
use arrow_array::{UInt8Array, UInt16Array, UInt32Array, UInt64Array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use heng_env::game::{Action, Outcome, Reason, Side};
use heng_mcts::value::Wdl;

use super::error::{BadValue, ReplayError};
use super::record::{Choice, Decision, Record};

/// The columns of a games file.
pub(super) static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let list = |item| DataType::List(Arc::new(Field::new("item", item, false)));
    let columns = [
        ("game", DataType::UInt64),
        ("step", DataType::UInt32),
        ("turn", DataType::UInt32),
        ("fen", DataType::Utf8),
        ("repetitions", DataType::UInt8),
        ("side", DataType::Utf8),
        ("actions", list(DataType::UInt16)),
        ("policy", list(DataType::Float32)),
        ("action", DataType::UInt16),
        ("choice", DataType::Utf8),
        ("root_win", DataType::Float32),
        ("root_draw", DataType::Float32),
        ("root_loss", DataType::Float32),
        ("outcome", DataType::Utf8),
        ("reason", DataType::Utf8),
        ("steps_left", DataType::UInt32),
        ("red_lead", DataType::Float32),
        ("weight", DataType::Float32),
    ];
    // Not every step is searched, and a resigned game has no end.
    let may_be_null = |name: &str| name.starts_with("root_") || matches!(name, "steps_left" | "red_lead");
    let field = |(name, data): (&str, DataType)| Field::new(name, data, may_be_null(name));
    Arc::new(Schema::new(columns.into_iter().map(field).collect::<Vec<_>>()))
});

/// The records as one batch of [`SCHEMA`].
pub(super) fn to_batch(records: &[Record]) -> Result<RecordBatch, ArrowError> {
    let root = |part: fn(Wdl) -> f32| -> ArrayRef {
        Arc::new(records.iter().map(|record| record.decision.root.map(part)).collect::<Float32Array>())
    };
    let text =
        |word: fn(&Record) -> &str| -> ArrayRef { Arc::new(StringArray::from_iter_values(records.iter().map(word))) };
    let count =
        |value: fn(&Record) -> u32| -> ArrayRef { Arc::new(UInt32Array::from_iter_values(records.iter().map(value))) };
    let columns: Vec<ArrayRef> = vec![
        Arc::new(UInt64Array::from_iter_values(records.iter().map(|record| record.game))),
        count(|record| record.decision.step),
        count(|record| record.decision.turn),
        text(|record| &record.decision.fen),
        Arc::new(UInt8Array::from_iter_values(records.iter().map(|record| record.decision.repetitions))),
        text(|record| side_name(record.decision.side)),
        Arc::new(actions_column(records)),
        Arc::new(policy_column(records)),
        Arc::new(UInt16Array::from_iter_values(records.iter().map(|record| record.decision.action.index() as u16))),
        text(|record| record.decision.choice.name()),
        root(|wdl| wdl.win),
        root(|wdl| wdl.draw),
        root(|wdl| wdl.loss),
        text(|record| record.outcome.winner.map_or("draw", side_name)),
        text(|record| record.outcome.reason.name()),
        Arc::new(records.iter().map(|record| record.steps_left).collect::<UInt32Array>()),
        Arc::new(records.iter().map(|record| record.red_lead).collect::<Float32Array>()),
        Arc::new(Float32Array::from_iter_values(records.iter().map(|record| record.weight))),
    ];
    RecordBatch::try_new(SCHEMA.clone(), columns)
}

fn actions_column(records: &[Record]) -> ListArray {
    list_column(records, UInt16Builder::new(), DataType::UInt16, |values, record| {
        values.extend(record.decision.actions.iter().map(|action| Some(action.index() as u16)));
    })
}

fn policy_column(records: &[Record]) -> ListArray {
    list_column(records, Float32Builder::new(), DataType::Float32, |values, record| {
        values.append_slice(&record.decision.policy);
    })
}

fn list_column<B: ArrayBuilder>(records: &[Record], values: B, item: DataType, fill: fn(&mut B, &Record)) -> ListArray {
    let mut lists = ListBuilder::new(values).with_field(Field::new("item", item, false));
    for record in records {
        fill(lists.values(), record);
        lists.append(true);
    }
    lists.finish()
}

/// The word for a side in a games file: the same for every variant.
pub(super) const fn side_name(side: Side) -> &'static str {
    match side {
        Side::Red => "red",
        Side::Black => "black",
    }
}

/// Checks that every column is there with its type. Other columns are ignored.
pub(super) fn check_schema(path: &Path, schema: &Schema) -> Result<(), ReplayError> {
    for field in SCHEMA.fields() {
        let column = column_name(field);
        let problem = match schema.field_with_name(field.name()) {
            Err(_) => "missing".to_owned(),
            Ok(found) if !found.data_type().equals_datatype(field.data_type()) => {
                format!("has type {}, expected {}", found.data_type(), field.data_type())
            }
            Ok(_) => continue,
        };
        return Err(ReplayError::Column { path: path.to_owned(), column, problem });
    }
    Ok(())
}

/// The name of a column of [`SCHEMA`], which lives as long as the program.
fn column_name(field: &'static Field) -> &'static str {
    field.name()
}

/// Reads a batch that [`check_schema`] accepts and checks each record as far as it can be told without the rules.
///
/// # Errors
/// The first wrong value, with its row in the file; `first_row` is the row of the batch's first record.
pub(super) fn from_batch(path: &Path, batch: &RecordBatch, first_row: usize) -> Result<Vec<Record>, ReplayError> {
    (0..batch.num_rows())
        .map(|row| {
            let record = Row { batch, row }.record()?;
            record.check()?;
            Ok(record)
        })
        .enumerate()
        .map(|(row, record)| record.map_err(|bad: BadValue| bad.at(path, first_row + row)))
        .collect()
}

/// One row of a batch.
struct Row<'a> {
    batch: &'a RecordBatch,
    row: usize,
}

impl Row<'_> {
    fn record(&self) -> Result<Record, BadValue> {
        let decision = Decision {
            step: self.number::<UInt32Type>("step")?,
            turn: self.number::<UInt32Type>("turn")?,
            fen: self.text("fen")?.to_owned(),
            repetitions: self.number::<UInt8Type>("repetitions")?,
            side: self.word("side", &Side::BOTH.map(|side| (side_name(side), side)))?,
            actions: self.list::<UInt16Type>("actions")?.into_iter().map(action).collect(),
            policy: self.list::<Float32Type>("policy")?,
            action: action(self.number::<UInt16Type>("action")?),
            choice: self.word("choice", &Choice::ALL.map(|choice| (choice.name(), choice)))?,
            root: self.root()?,
        };
        let winner = self.word("outcome", &[("red", Some(Side::Red)), ("black", Some(Side::Black)), ("draw", None)])?;
        let reason = self.word("reason", &Reason::ALL.map(|reason| (reason.name(), reason)))?;
        Ok(Record {
            game: self.number::<UInt64Type>("game")?,
            decision,
            outcome: Outcome { winner, reason },
            steps_left: self.optional::<UInt32Type>("steps_left"),
            red_lead: self.optional::<Float32Type>("red_lead"),
            weight: self.number::<Float32Type>("weight")?,
        })
    }

    fn root(&self) -> Result<Option<Wdl>, BadValue> {
        if ["root_win", "root_draw", "root_loss"].iter().all(|column| self.column(column).is_null(self.row)) {
            return Ok(None);
        }
        Ok(Some(Wdl {
            win: self.number::<Float32Type>("root_win")?,
            draw: self.number::<Float32Type>("root_draw")?,
            loss: self.number::<Float32Type>("root_loss")?,
        }))
    }

    fn column(&self, column: &str) -> &ArrayRef {
        self.batch.column_by_name(column).expect("the schema has been checked")
    }

    fn present(&self, column: &'static str) -> Result<&ArrayRef, BadValue> {
        let array = self.column(column);
        if array.is_null(self.row) { Err(BadValue::new(column, "missing")) } else { Ok(array) }
    }

    fn number<T: ArrowPrimitiveType>(&self, column: &'static str) -> Result<T::Native, BadValue> {
        Ok(self.present(column)?.as_primitive::<T>().value(self.row))
    }

    /// A number that may be missing.
    fn optional<T: ArrowPrimitiveType>(&self, column: &str) -> Option<T::Native> {
        let array = self.column(column);
        array.is_valid(self.row).then(|| array.as_primitive::<T>().value(self.row))
    }

    fn text(&self, column: &'static str) -> Result<&str, BadValue> {
        Ok(self.present(column)?.as_string::<i32>().value(self.row))
    }

    fn word<T: Copy>(&self, column: &'static str, words: &[(&str, T)]) -> Result<T, BadValue> {
        let text = self.text(column)?;
        words.iter().find(|(word, _)| *word == text).map(|&(_, value)| value).ok_or_else(|| {
            let known: Vec<&str> = words.iter().map(|&(word, _)| word).collect();
            BadValue::new(column, format!("`{text}` is not one of {}", known.join(", ")))
        })
    }

    fn list<T: ArrowPrimitiveType>(&self, column: &'static str) -> Result<Vec<T::Native>, BadValue> {
        let items = self.present(column)?.as_list::<i32>().value(self.row);
        if items.null_count() > 0 {
            return Err(BadValue::new(column, "an item is missing"));
        }
        Ok(items.as_primitive::<T>().values().to_vec())
    }
}

fn action(index: u16) -> Action {
    Action::new(usize::from(index))
}
