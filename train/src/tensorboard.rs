//! TensorBoard event files: frames of a length, a protobuf message and their checksums.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use prost::Message;

use crate::run_dir::{RunDirError, write_atomically};

/// The part of TensorFlow's `Event` message that scalars need.
#[derive(Clone, PartialEq, Message)]
struct Event {
    #[prost(double, tag = "1")]
    wall_time: f64,
    #[prost(int64, tag = "2")]
    step: i64,
    #[prost(string, optional, tag = "3")]
    file_version: Option<String>,
    #[prost(message, optional, tag = "5")]
    summary: Option<Summary>,
}

#[derive(Clone, PartialEq, Message)]
struct Summary {
    #[prost(message, repeated, tag = "1")]
    values: Vec<Value>,
}

#[derive(Clone, PartialEq, Message)]
struct Value {
    #[prost(string, tag = "1")]
    tag: String,
    // A `oneof` in TensorFlow, which is an optional field on the wire.
    #[prost(float, optional, tag = "2")]
    simple_value: Option<f32>,
}

/// The numbers of one iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalars {
    /// The iteration.
    pub step: u64,
    /// When it ended, in seconds since 1970.
    pub unix_time: f64,
    /// Tags and values.
    pub values: Vec<(String, f32)>,
}

impl Scalars {
    fn frame(&self) -> Vec<u8> {
        let values = self.values.iter();
        let values = values.map(|(tag, value)| Value { tag: tag.clone(), simple_value: Some(*value) }).collect();
        frame(&Event {
            wall_time: self.unix_time,
            step: self.step as i64,
            file_version: None,
            summary: Some(Summary { values }),
        })
    }
}

/// An event file that grows by one event an iteration.
#[derive(Debug)]
pub struct EventFile {
    path: PathBuf,
    file: File,
}

impl EventFile {
    /// Writes the file anew with the events of a run so far, and goes on from there.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn rewrite(path: &Path, history: &[Scalars]) -> Result<EventFile, RunDirError> {
        let header = Event {
            wall_time: history.first().map_or(0.0, |scalars| scalars.unix_time),
            step: 0,
            file_version: Some("brain.Event:2".to_owned()),
            summary: None,
        };
        let frames = std::iter::once(frame(&header)).chain(history.iter().map(Scalars::frame));
        write_atomically(path, &frames.flatten().collect::<Vec<u8>>())?;
        let file = OpenOptions::new().append(true).open(path).map_err(RunDirError::io(path, "open"))?;
        Ok(EventFile { path: path.to_owned(), file })
    }

    /// Adds the numbers of an iteration.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(&mut self, scalars: &Scalars) -> Result<(), RunDirError> {
        self.file.write_all(&scalars.frame()).map_err(RunDirError::io(&self.path, "write"))
    }
}

/// Checks every frame of an event file and returns how many there are. A last frame that was cut short is not counted:
/// that is how a killed process leaves the file.
///
/// # Errors
/// What is wrong with the first bad frame.
pub fn check(contents: &[u8]) -> Result<usize, String> {
    let (mut rest, mut count) = (contents, 0);
    while let Some((length, after)) = rest.split_first_chunk::<8>() {
        let Some((length_sum, after)) = after.split_first_chunk::<4>() else { break };
        if u32::from_le_bytes(*length_sum) != masked_checksum(length) {
            return Err(format!("event {count}: the checksum of its length is wrong"));
        }
        let length = u64::from_le_bytes(*length) as usize;
        let Some((message, after)) = after.split_at_checked(length) else { break };
        let Some((message_sum, after)) = after.split_first_chunk::<4>() else { break };
        if u32::from_le_bytes(*message_sum) != masked_checksum(message) {
            return Err(format!("event {count}: its checksum is wrong"));
        }
        Event::decode(message).map_err(|error| format!("event {count}: {error}"))?;
        (rest, count) = (after, count + 1);
    }
    Ok(count)
}

fn frame(event: &Event) -> Vec<u8> {
    let message = event.encode_to_vec();
    let length = (message.len() as u64).to_le_bytes();
    let (length_sum, message_sum) = (masked_checksum(&length), masked_checksum(&message));
    [&length[..], &length_sum.to_le_bytes(), &message, &message_sum.to_le_bytes()].concat()
}

/// The checksum of the TFRecord format: CRC-32C, rotated and shifted so that checksums of checksums stay useful.
fn masked_checksum(bytes: &[u8]) -> u32 {
    crc32c::crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_version_frame_has_the_bytes_that_tensorboard_expects() {
        let event = Event { file_version: Some("brain.Event:2".to_owned()), ..Event::default() };
        let bytes = frame(&event);
        assert_eq!(&bytes[..8], &15_u64.to_le_bytes());
        assert_eq!(&bytes[12..], &[&[0x1a, 13][..], b"brain.Event:2", &bytes[27..]].concat());
        // The well-known check value of CRC-32C.
        assert_eq!(crc32c::crc32c(b"123456789"), 0xe306_9283);
    }

    #[test]
    fn events_are_appended_and_damage_is_found() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("events");
        let scalars = |step| Scalars { step, unix_time: 1.5, values: vec![("loss/total".to_owned(), 0.25)] };
        let mut file = EventFile::rewrite(&path, &[scalars(1), scalars(2)]).unwrap();
        file.append(&scalars(3)).unwrap();
        let mut contents = std::fs::read(&path).unwrap();
        assert_eq!(check(&contents), Ok(4));
        assert_eq!(check(&contents[..contents.len() - 3]), Ok(3));
        let middle = contents.len() / 2;
        contents[middle] ^= 1;
        assert!(check(&contents).is_err());
    }
}
