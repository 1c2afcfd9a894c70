//! What the programs have but for that by which they differ.

/// Works with a key and a text from the command line, and says what came of it.
pub fn small_program(work: impl FnOnce(&[u8], &mut [u8]) -> Option<()>) {
    let mut words = std::env::args().skip(1).map(String::into_bytes);
    let key = words.next().unwrap_or_default();
    let mut text = words.next().unwrap_or_default();
    println!("{:?}", work(&key, &mut text).map(|()| text));
}
