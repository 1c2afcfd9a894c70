//! How much text is to come, as a progress bar is told.

use std::fs::File;
use std::io::Write;

use carryless_file::cobblestone::{SealWriter, sealed_len};

use super::*;

/// A file of so many zeros.
fn input(len: u64) -> Input {
    let file = tempfile::tempfile().expect("a file");
    file.set_len(len).expect("a file");
    Input::of(file)
}

fn range(offset: u64, len: Option<u64>) -> Option<Range> {
    Some(Range {
        offset,
        len,
        or_less: true,
    })
}

fn source(content: Content<'_>) -> Source<'_> {
    Source {
        content,
        format: Format::Gcm,
        cipher: "any",
    }
}

/// Of a text of so many bytes, what each range is told.
fn expect(source: &Source<'_>, sealed_len: u64, text_len: u64) {
    let input = input(sealed_len);
    for (range, told) in [
        (None, text_len),
        (range(0, None), text_len),
        (range(7, None), text_len - 7),
        (range(7, Some(20)), 20),
        (range(text_len - 5, Some(20)), 5),
        (range(text_len + 1, Some(20)), 0),
    ] {
        assert_eq!(source.text_len(&input, range), Some(told), "{range:?}");
    }
}

#[test]
fn the_text_of_a_message_and_of_chunks_has_a_length() {
    let key = gcm::Key::from_slice(&[7; 16]).expect("a key");
    let message = source(Content::Message(&key));
    expect(&message, 100 + 28, 100);
    assert_eq!(message.text_len(&input(27), None), None);

    let key = Key::from_slice(&[7; 16]).expect("a key");
    let mut writer = SealWriter::new(&key, b"", Vec::new()).expect("random bytes");
    writer.write_all(b"text").expect("a vector");
    let sealed = writer.finish().expect("a vector");
    for start in [0, 175] {
        let header = sealed.first_chunk().expect("a header");
        let opener = Opener::new(&key, b"", header).expect("its header");
        let chunks = source(Content::Chunks { opener, start });
        let len = sealed_len(20_000).expect("short");
        expect(&chunks, start + len, 20_000);
        assert_eq!(chunks.text_len(&input(start), None), None);
    }
}

#[test]
fn of_a_pipe_nobody_knows_how_much_is_to_come() {
    let (reader, _writer) = std::io::pipe().expect("a pipe");
    let input = Input::of(File::from(std::os::fd::OwnedFd::from(reader)));
    let key = gcm::Key::from_slice(&[7; 16]).expect("a key");
    let message = source(Content::Message(&key));
    assert_eq!(message.text_len(&input, None), None);
}
