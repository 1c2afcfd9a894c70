//! A program that makes codes of messages, and nothing else.

use carryless::{Aes256, Cmac};

fn main() {
    growth::small_program(|key, text| {
        let tag = Cmac::<Aes256>::from_slice(key).ok()?.mac(text);
        text.iter_mut().zip(tag).for_each(|(to, byte)| *to = byte);
        Some(())
    });
}
