//! Bytes of a file as text.
//!
//! Valid UTF-8 is taken as such: GBK of more than a few characters hardly ever is. Everything else is GB18030, which GBK is a part
//! of; a byte order mark decides where there is one.

use encoding_rs::{Encoding, GB18030, UTF_8};

use super::FileText;

pub(super) fn decode(contents: &[u8]) -> FileText {
    let marked = Encoding::for_bom(contents).map(|(encoding, _)| encoding);
    let whole = |encoding: &'static Encoding| {
        let (text, _, has_errors) = encoding.decode(contents);
        (!has_errors).then(|| text.into_owned())
    };
    let text = match marked {
        Some(encoding) => whole(encoding),
        None => whole(UTF_8).or_else(|| whole(GB18030)),
    };
    match text {
        Some(text) => FileText { text: plain_lines(text), broken_at: None },
        None => valid_lines(contents),
    }
}

/// The lines before the first one that is no UTF-8.
fn valid_lines(contents: &[u8]) -> FileText {
    let text = contents.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let text = plain_lines(whole.trim_start_matches('\u{feff}').to_owned());
    FileText { broken_at: Some(1 + text.matches('\n').count()), text }
}

/// Every end of line as one character.
fn plain_lines(text: String) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text }
}
