//! Reading far behind what was read before: the text at hand is never taken for another's.

use std::io::{self, Read, Seek, SeekFrom};

use carryless_file::cobblestone::{
    CHUNK_LEN, HEADER_LEN, SEALED_CHUNK_LEN, Sealer, SeekReader, sealed_len,
};

use super::key;

/// Eight GiB and five bytes.
const TEXT_LEN: u64 = (1 << 33) + 5;

/// The byte of the text at a place: none like that 2^32 bytes before it.
fn byte(at: u64) -> u8 {
    let chunk = at / CHUNK_LEN as u64;
    ((chunk % 251) * 7 + (chunk >> 18) * 5 + at % 253).to_le_bytes()[0]
}

/// A stream that is sealed where it is read.
struct Sealed {
    sealer: Sealer,
    position: u64,
}

impl Sealed {
    /// What there is from the position on, of the header or of a chunk.
    fn rest(&self) -> Vec<u8> {
        let header = self.sealer.header();
        let Some(behind) = self.position.checked_sub(HEADER_LEN as u64) else {
            return header[usize::try_from(self.position).expect("short")..].to_vec();
        };
        let (index, skip) = (
            behind / SEALED_CHUNK_LEN as u64,
            behind % SEALED_CHUNK_LEN as u64,
        );
        let start = index * CHUNK_LEN as u64;
        let end = TEXT_LEN.min(start + CHUNK_LEN as u64);
        if start >= end {
            return Vec::new();
        }
        let text: Vec<u8> = (start..end).map(byte).collect();
        let mut sealed = vec![0; text.len() + 16];
        self.sealer
            .seal_chunks(index, &text, end == TEXT_LEN, &mut sealed)
            .expect("room");
        let skip = sealed.len().min(usize::try_from(skip).expect("short"));
        sealed.split_off(skip)
    }
}

impl Read for Sealed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = self.rest();
        let len = rest.len().min(buffer.len());
        buffer[..len].copy_from_slice(&rest[..len]);
        self.position += len as u64;
        Ok(len)
    }
}

impl Seek for Sealed {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        let end = sealed_len(TEXT_LEN).expect("not too long");
        self.position = match place {
            SeekFrom::Start(at) => at,
            SeekFrom::End(by) => end.saturating_add_signed(by),
            SeekFrom::Current(by) => self.position.saturating_add_signed(by),
        };
        Ok(self.position)
    }
}

#[test]
fn c6_a_place_far_from_the_text_at_hand_has_its_own() {
    let key = key(1);
    let sealer = Sealer::new(&key, b"").expect("random bytes");
    let source = Sealed {
        sealer,
        position: 0,
    };
    let mut reader = SeekReader::new(&key, b"", source).expect("authentic");
    assert_eq!(reader.text_len(), TEXT_LEN);
    let mut count = 0;
    for near in [3, CHUNK_LEN as u64 + 7, (1 << 32) - 2] {
        for distance in
            [8, 16, 24, 31, 32].map(|bits| [(1_u64 << bits) - 1, 1 << bits, (1 << bits) + 1])
        {
            for far in distance.map(|distance| near + distance) {
                // Forth, back, and forth again from where that ended.
                for (place, at) in [
                    (SeekFrom::Start(near), near),
                    (SeekFrom::Start(far), far),
                    (SeekFrom::Start(near), near),
                    (SeekFrom::Current((far - near).cast_signed() - 4), far),
                ] {
                    assert_eq!(reader.seek(place).expect("a place"), at);
                    let mut part = [0; 4];
                    reader.read_exact(&mut part).expect("authentic");
                    let expected = [at, at + 1, at + 2, at + 3].map(byte);
                    assert_eq!(part, expected, "{at} after {near} or {far}");
                    count += 1;
                }
            }
        }
    }
    println!("C6 places of a stream: {count} read");
}
