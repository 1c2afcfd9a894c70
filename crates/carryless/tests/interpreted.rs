//! M3 and M4: the public calls, few of each, for Miri and for a build with the address sanitiser, which
//! are a thousand and three times slower than the CPU. `cargo xtask assure M3 M4` runs them there.

use carryless::{Aes128, Aes128Gcm, Aes192Gcm, Aes256Gcm, Engine, Gmac, Packet, Slot};

/// Lengths of texts: the edges of blocks and turns.
const TEXTS: &[usize] = if cfg!(miri) {
    &[1, 145]
} else {
    &[0, 1, 16, 33, 128, 145, 600]
};

macro_rules! calls {
    ($Key:ident, $len:literal, $engine:ident) => {{
        let mut slot = Slot::new();
        let key = slot
            .fill(|| $Key::with_engine(&[0x42; $len], $engine))
            .expect("an available engine");
        let mut count = 0;
        for &text_len in TEXTS {
            for nonce in [&[7; 12][..], &[7; 5]] {
                let text: Vec<u8> = (0..=255).cycle().take(text_len).collect();
                // Exactly as long as they must be: a byte beyond is another allocation's.
                let mut sealed = vec![0; text_len].into_boxed_slice();
                let tag = key.seal_into(nonce, &[1; 21], &text, &mut sealed);
                let tag = tag.expect("lengths are right");
                let mut pieces = vec![0; text_len].into_boxed_slice();
                let (head, tail) = text.split_at(text_len / 3);
                let same = key.seal_scatter(nonce, &[1; 21], &[head, tail], &mut pieces);
                assert_eq!(
                    (same, &pieces),
                    (Ok(tag), &sealed),
                    "{} {text_len}",
                    $engine
                );
                let mut opened = vec![0xa5; text_len].into_boxed_slice();
                assert_eq!(
                    key.open_into(nonce, &[1; 21], &sealed, &mut opened, &tag),
                    Ok(())
                );
                assert_eq!(opened[..], text[..], "{} {text_len}", $engine);
                assert!(key.open_in_place(nonce, b"", &mut sealed, &tag).is_err());
                assert!(sealed.iter().all(|byte| *byte == 0));
                count += 4;
            }
        }
        count
    }};
}

fn engines() -> Vec<Engine> {
    Engine::available().collect()
}

#[test]
fn m3_calls_of_every_engine_are_defined() {
    for engine in engines() {
        let count = calls!(Aes256Gcm, 32, engine);
        println!("M3 {engine}: {count} calls");
    }
}

#[test]
fn m3_parts_of_every_engine_are_defined() {
    for engine in engines() {
        let mac = Gmac::<Aes128>::with_engine(&[1; 16], engine).expect("an available engine");
        let tag = mac.mac(&[0; 12], b"data").expect("a right nonce");
        assert_eq!(mac.verify(&[0; 12], b"data", &tag), Ok(()));
        engine.set_default().expect("an available engine");
        let mut text = *b"twenty-one bytes here";
        let tag = Aes192Gcm::seal_once(&[2; 24], &[0; 12], b"", &mut text).expect("lengths");
        assert_eq!(
            Aes192Gcm::open_once(&[2; 24], &[0; 12], b"", &mut text, &tag),
            Ok(())
        );
        let key = Aes192Gcm::from_slice(&[2; 24]).expect("a right length");
        let mut buffer = *b"head....0123456789abcdef";
        let tag = key
            .seal_in_place(&[3; 12], b"", &mut buffer[8..])
            .expect("lengths");
        let moved = key.open_within(&[3; 12], b"", &mut buffer, 8..24, 0, &tag);
        assert!(moved.is_err(), "overlapping ranges are refused");
        let moved = key
            .clone()
            .open_within(&[3; 12], b"", &mut buffer, 8..24, 8, &tag);
        assert_eq!(moved, Ok(&mut { *b"0123456789abcdef" }[..]));
        println!("M3 {engine}: 7 calls");
    }
}

/// Packets with those texts, numbered by their nonces.
fn numbered<'a>(nonces: &'a [[u8; 12]; 4], texts: &'a mut [Box<[u8]>; 4]) -> [Packet<'a>; 4] {
    let mut nonces = nonces.iter();
    texts.each_mut().map(|text| {
        let nonce = nonces.next().expect("as many as texts");
        Packet::in_place(nonce, b"header", text)
    })
}

/// Four packets of a batch, which go together, each exactly as long as it must be.
#[test]
fn m3_fours_of_every_engine_are_defined() {
    let nonces = [[0; 12], [1; 12], [2; 12], [3; 12]];
    for engine in engines() {
        let key = Aes128Gcm::with_engine(&[1; 16], engine).expect("an available engine");
        for len in [1, 50] {
            let text = vec![0xa5; len].into_boxed_slice();
            let mut texts = [&text; 4].map(Clone::clone);
            let mut four = numbered(&nonces, &mut texts);
            assert_eq!(key.seal_batch(&mut four), Ok(()));
            let mut tags = four.each_ref().map(|packet| packet.tag().to_vec());
            tags[3][0] ^= 1;
            let mut tag = tags.iter();
            let mut four = numbered(&nonces, &mut texts)
                .map(|packet| packet.with_tag(tag.next().expect("as many as packets")));
            assert!(key.open_batch(&mut four).is_err());
            let [a, b, c, forged] = texts;
            assert_eq!([a, b, c], [&text; 3].map(Clone::clone), "{engine} {len}");
            assert!(forged.iter().all(|byte| *byte == 0), "{engine} {len}");
        }
        println!("M3 {engine}: 16 calls");
    }
}

/// A read of one byte behind an allocation, as a kernel with a wrong bound would do it.
#[test]
#[ignore = "undefined: only for checkers that must report it"]
fn control_m3_a_read_beyond_the_buffer_is_reported() {
    let text = vec![0u8; core::hint::black_box(16)].into_boxed_slice();
    let beyond = text.as_ptr().wrapping_add(text.len());
    // SAFETY: none, that is the fault.
    let byte = unsafe { beyond.read_volatile() };
    core::hint::black_box(byte);
}

/// A read of memory that nobody has written, as a partial load with a wrong mask would do it.
#[test]
#[ignore = "undefined: only for checkers that must report it"]
fn control_m3_a_read_of_unwritten_memory_is_reported() {
    let block = core::hint::black_box(core::mem::MaybeUninit::<[u8; 16]>::uninit());
    // SAFETY: none, that is the fault.
    let block = unsafe { block.assume_init() };
    assert!(u128::from_ne_bytes(block).count_ones() <= 128);
}
