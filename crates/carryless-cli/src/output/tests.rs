use super::*;

fn written(text: &[u8], terminal: bool) -> bool {
    let file = tempfile::tempfile().expect("a file");
    let mut output = Output {
        sink: Sink::Direct(file),
        name: "output".into(),
        path: None,
        terminal,
        is_stdout: true,
        force: false,
    };
    let result = output.write_text(text);
    let mut file = output.as_file();
    let len = io::Seek::stream_position(&mut file).expect("a file");
    assert_eq!(len, if result.is_ok() { text.len() as u64 } else { 0 });
    result.is_ok()
}

#[test]
fn u9_a_terminal_gets_nothing_of_a_piece_that_is_not_all_text() {
    const LEN: usize = 1 << 19;
    for at in [
        0,
        1,
        3,
        4095,
        7999,
        8000,
        8192,
        65_535,
        65_536,
        PIECE,
        LEN - 5,
        LEN - 1,
    ] {
        for (what, byte) in [
            ("escape", 0x1b),
            ("zero", 0),
            ("delete", 0x7f),
            ("no UTF-8", 0xff),
        ] {
            let mut text = vec![b'x'; LEN];
            text[at] = byte;
            assert!(!written(&text, true), "{what} at byte {at}");
            assert!(written(&text, false), "{what} at byte {at}");
        }
    }
    let text = "tabs\t, lines\r\n, \u{e4}\u{20ac}\u{1f600}".repeat(20_000);
    // Characters of a piece's neighbours begin or end in it.
    for cut in 0..30 {
        let piece = &text.as_bytes()[cut..text.len() - cut];
        assert!(written(piece, true), "{cut} bytes less at each end");
    }
}

#[test]
fn u8_pieces_are_those_that_the_tests_of_boundaries_know() {
    assert_eq!(super::PIECE, crate::groups::PIECE);
    println!("U8 list: 1 piece of a copy");
}
