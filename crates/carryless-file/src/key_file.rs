//! Key files: text with a checksum, or the raw bytes of a key.
//!
//! A text key file is ASCII of at most [`MAX_LEN`] bytes. Lines end in `\n` or `\r\n`; blank lines and
//! those that start with `#` mean nothing. The others are `name: value`, each name once, in any
//! order:
//!
//! | name | value |
//! | --- | --- |
//! | `carryless-key` | `v1` |
//! | `kind` | `file`: for [`container`](crate::container) and [`cobblestone`](crate::cobblestone); `gcm`: for [`gcm`] |
//! | `key` | the key in hexadecimal, 32 digits (AES-128) or 64 (AES-256) |
//! | `checksum` | 16 hexadecimal digits: the first 8 bytes of SHA-512(`carryless-key v1` 0x00 kind 0x00 key) |
//!
//! The checksum finds slips of hand and of storage; it protects against nobody. A key serves one
//! kind of use, which is why the kind is recorded and covered.
//!
//! A file of exactly 16 or 32 bytes is the key itself, unless all but white space around are
//! hexadecimal digits: that is a key written as text, which taken for raw would be another key.

use sha2::{Digest, Sha512};
use zeroize::Zeroizing;

use crate::cobblestone::Key;
use crate::gcm;
use crate::secret::burning;

/// The longest key file, in bytes.
pub const MAX_LEN: usize = 4096;

const VERSION: &str = "v1";
const FILE: &str = "file";
const GCM: &str = "gcm";
const CHECKSUM_LEN: usize = 8;
const KEY_LENS: [usize; 2] = [16, 32];

/// Why a key file was not taken. Nothing of its content is in the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyFileError {
    /// Neither a raw key nor long enough for a text, or too long.
    #[error("it has {got} bytes: a raw key has 16 or 32, a text key file at most 4096")]
    Length {
        /// Bytes there are.
        got: usize,
    },
    /// Hexadecimal digits without the rest of a key file.
    #[error(
        "it looks like a key in bare hexadecimal: make it 16 or 32 raw bytes, or use `carryless keygen`"
    )]
    BareHex,
    /// A line is not `name: value` in ASCII.
    #[error("line {line} is not `name: value`")]
    Line {
        /// From 1.
        line: usize,
    },
    /// A name that this version does not have, or one that came before.
    #[error("line {line} has an unknown or repeated name")]
    Name {
        /// From 1.
        line: usize,
    },
    /// A name is missing.
    #[error("it has no line `{name}: ..`")]
    Missing {
        /// The name.
        name: &'static str,
    },
    /// Written by a later version.
    #[error("its version is not v1")]
    Version,
    /// A key for another use.
    #[error("its key is not of the kind `{expected}`: a key serves one format")]
    Kind {
        /// The kind that was asked for.
        expected: &'static str,
    },
    /// The key is not 32 or 64 hexadecimal digits.
    #[error("its key is not 32 or 64 hexadecimal digits")]
    Key,
    /// The checksum is not that of the key: one of them was changed.
    #[error("its checksum does not belong to its key: the file was damaged")]
    Checksum,
}

/// Reads the content of a key file of the kind `file`.
///
/// # Errors
/// [`KeyFileError`].
///
/// # Examples
/// ```
/// use carryless_file::{cobblestone::{Cipher, Key}, key_file};
///
/// let key = Key::generate(Cipher::Cobblestone256)?;
/// let text = key_file::format(&key);
/// assert_eq!(key_file::parse(text.as_bytes())?.as_bytes(), key.as_bytes());
/// assert_eq!(key_file::parse(&[7; 16])?.as_bytes(), [7; 16]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse(content: &[u8]) -> Result<Key, KeyFileError> {
    let bytes = key_of(content, FILE)?;
    Key::from_slice(&bytes).map_err(|_| KeyFileError::Key)
}

/// Reads the content of a key file of the kind `gcm`.
///
/// # Errors
/// [`KeyFileError`].
///
/// # Examples
/// ```
/// use carryless_file::{gcm::Key, key_file};
///
/// let key = Key::generate(32)?;
/// let text = key_file::format_gcm(&key);
/// assert_eq!(key_file::parse_gcm(text.as_bytes())?.as_bytes(), key.as_bytes());
/// assert!(key_file::parse(text.as_bytes()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse_gcm(content: &[u8]) -> Result<gcm::Key, KeyFileError> {
    let bytes = key_of(content, GCM)?;
    gcm::Key::from_slice(&bytes).map_err(|_| KeyFileError::Key)
}

/// The key of a file of this kind, raw or text.
fn key_of(content: &[u8], kind: &'static str) -> Result<Zeroizing<Vec<u8>>, KeyFileError> {
    if is_hex(content.trim_ascii()) {
        return Err(KeyFileError::BareHex);
    }
    if KEY_LENS.contains(&content.len()) {
        return Ok(Zeroizing::new(content.to_vec()));
    }
    if !(CHECKSUM_LEN..=MAX_LEN).contains(&content.len()) {
        return Err(KeyFileError::Length { got: content.len() });
    }
    Fields::read(content)?.key(kind)
}

/// Whether there are digits, and nothing but hexadecimal ones.
fn is_hex(content: &[u8]) -> bool {
    !content.is_empty() && content.iter().all(u8::is_ascii_hexdigit)
}

/// Writes a key as text, of the kind `file`.
///
/// # Examples
/// ```
/// use carryless_file::{cobblestone::Key, key_file};
///
/// let text = key_file::format(&Key::from_slice(&[0; 16])?);
/// assert!(text.contains("key: 00000000000000000000000000000000\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn format(key: &Key) -> Zeroizing<String> {
    text(key.as_bytes(), FILE, key.cipher().name())
}

/// Writes a key as text, of the kind `gcm`; see [`parse_gcm`].
#[must_use]
pub fn format_gcm(key: &gcm::Key) -> Zeroizing<String> {
    let cipher = match key.as_bytes().len() {
        16 => "AES-128-GCM",
        _ => "AES-256-GCM",
    };
    text(key.as_bytes(), GCM, cipher)
}

fn text(key: &[u8], kind: &str, cipher: &str) -> Zeroizing<String> {
    let digits = burning(|| Zeroizing::new(hex::encode(key)));
    let checksum = hex::encode(checksum(kind, key));
    // Long enough from the start, so that no copy of the key stays behind in a shorter one.
    let mut text = Zeroizing::new(String::with_capacity(MAX_LEN));
    for part in [
        "# A carryless key for ",
        cipher,
        ". Whoever has it opens what was sealed with it: keep it secret.\n# Without it nobody does: keep a copy.\n",
        "carryless-key: ",
        VERSION,
        "\nkind: ",
        kind,
        "\nkey: ",
        &digits,
        "\nchecksum: ",
        &checksum,
        "\n",
    ] {
        text.push_str(part);
    }
    text
}

fn checksum(kind: &str, key: &[u8]) -> [u8; CHECKSUM_LEN] {
    burning(|| {
        let hash = Sha512::new()
            .chain_update("carryless-key v1\0")
            .chain_update(kind)
            .chain_update([0])
            .chain_update(key)
            .finalize();
        *hash.first_chunk().expect("a hash is longer")
    })
}

/// The values of a text key file.
#[derive(Default)]
struct Fields<'a> {
    version: Option<&'a str>,
    kind: Option<&'a str>,
    key: Option<&'a str>,
    checksum: Option<&'a str>,
}

impl<'a> Fields<'a> {
    fn read(content: &'a [u8]) -> Result<Self, KeyFileError> {
        let mut fields = Self::default();
        for (line, content) in (1..).zip(content.split(|byte| *byte == b'\n')) {
            let content = content.trim_ascii();
            if content.is_empty() || content[0] == b'#' {
                continue;
            }
            let text = core::str::from_utf8(content).map_err(|_| KeyFileError::Line { line })?;
            let (name, value) = text.split_once(':').ok_or(KeyFileError::Line { line })?;
            let field = match name {
                "carryless-key" => &mut fields.version,
                "kind" => &mut fields.kind,
                "key" => &mut fields.key,
                "checksum" => &mut fields.checksum,
                _ => return Err(KeyFileError::Name { line }),
            };
            if field.replace(value.trim_ascii()).is_some() {
                return Err(KeyFileError::Name { line });
            }
        }
        Ok(fields)
    }

    fn key(self, kind: &'static str) -> Result<Zeroizing<Vec<u8>>, KeyFileError> {
        let required = |field: Option<&'a str>, name| field.ok_or(KeyFileError::Missing { name });
        if required(self.version, "carryless-key")? != VERSION {
            return Err(KeyFileError::Version);
        }
        if required(self.kind, "kind")? != kind {
            return Err(KeyFileError::Kind { expected: kind });
        }
        let digits = required(self.key, "key")?;
        let len = digits.len() / 2;
        if !KEY_LENS.contains(&len) {
            return Err(KeyFileError::Key);
        }
        // Not by `hex::decode`, whose result grows and leaves parts of the key behind that nobody wipes.
        let mut key = Zeroizing::new(vec![0; len]);
        burning(|| hex::decode_to_slice(digits, &mut key)).map_err(|_| KeyFileError::Key)?;
        let given = hex::decode(required(self.checksum, "checksum")?)
            .map_err(|_| KeyFileError::Checksum)?;
        if given != checksum(kind, &key) {
            return Err(KeyFileError::Checksum);
        }
        Ok(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> String {
        format(&Key::from_slice(&[0x5a; 32]).expect("a length")).to_string()
    }

    #[test]
    fn hexadecimal_digits_and_a_line_end_are_no_raw_key() {
        for content in [
            &b"0123456789abcde\n"[..],
            b"0123456789abcdef0123456789abcde\n",
        ] {
            assert!(
                matches!(parse(content), Err(KeyFileError::BareHex)),
                "{content:?}"
            );
        }
        assert!(!matches!(parse(&[b'\n'; 20]), Err(KeyFileError::BareHex)));
    }

    #[test]
    fn the_format_is_the_documented_one() {
        let checksum = hex::encode(
            &Sha512::digest([b"carryless-key v1\0file\0".as_slice(), &[0x5a; 32]].concat())[..8],
        );
        let lines: Vec<String> = text()
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(String::from)
            .collect();
        let expected = [
            "carryless-key: v1",
            "kind: file",
            &format!("key: {}", "5a".repeat(32)),
            &format!("checksum: {checksum}"),
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn order_blank_lines_comments_and_line_ends_do_not_matter() {
        let mut lines: Vec<String> = text().lines().map(String::from).collect();
        lines.reverse();
        let shuffled = lines.join("\r\n\r\n") + "\r\n# end";
        assert_eq!(
            parse(shuffled.as_bytes()).expect("a key file").as_bytes(),
            [0x5a; 32]
        );
    }

    #[test]
    fn every_changed_digit_is_noticed() {
        let text = text();
        let start = text.find("key: 5a").expect("the key line");
        for at in start + 5..text.len() - 1 {
            let mut changed = text.clone().into_bytes();
            if changed[at].is_ascii_hexdigit() {
                changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
                assert!(parse(&changed).is_err(), "digit {at}");
            }
        }
    }

    #[test]
    fn a_key_serves_one_format_and_its_checksum_covers_which() {
        let key = gcm::Key::from_slice(&[0x5a; 32]).expect("a length");
        let gcm = format_gcm(&key);
        assert!(parse_gcm(gcm.as_bytes()).is_ok_and(|read| read.as_bytes() == [0x5a; 32]));
        let refused = parse(gcm.as_bytes()).map(|_| ());
        assert_eq!(refused, Err(KeyFileError::Kind { expected: FILE }));
        let refused = parse_gcm(text().as_bytes()).map(|_| ());
        assert_eq!(refused, Err(KeyFileError::Kind { expected: GCM }));
        let renamed = parse(gcm.replace("kind: gcm", "kind: file").as_bytes()).map(|_| ());
        assert_eq!(renamed, Err(KeyFileError::Checksum));
        assert!(parse_gcm(&[7; 16]).is_ok_and(|read| read.as_bytes() == [7; 16]));
    }

    #[test]
    fn a_checksum_is_compared_whole() {
        let text = text();
        let (before, digits) = text.split_once("checksum: ").expect("a line");
        let digits = digits.trim_end();
        assert_eq!(digits.len(), 2 * CHECKSUM_LEN);
        let longer = format!("{digits}{digits}");
        for len in 0..=longer.len() {
            let content = format!("{before}checksum: {}\n", &longer[..len]);
            let read = parse(content.as_bytes()).map(|_| ());
            let whole = len == digits.len();
            let expected = whole.then_some(()).ok_or(KeyFileError::Checksum);
            assert_eq!(read, expected, "{len} digits");
        }
        for digit in 0..digits.len() {
            let mut changed = digits.as_bytes().to_vec();
            changed[digit] = if changed[digit] == b'0' { b'1' } else { b'0' };
            let changed = String::from_utf8(changed).expect("digits");
            let content = format!("{before}checksum: {changed}\n");
            let read = parse(content.as_bytes()).map(|_| ());
            assert_eq!(read, Err(KeyFileError::Checksum), "digit {digit}");
        }
    }

    #[test]
    fn malformed_files_are_told_apart() {
        let text = text();
        let cases = [
            (String::new(), KeyFileError::Length { got: 0 }),
            (
                "x".repeat(MAX_LEN + 1),
                KeyFileError::Length { got: MAX_LEN + 1 },
            ),
            ("0f".repeat(16), KeyFileError::BareHex),
            ("0f".repeat(16) + "\n", KeyFileError::BareHex),
            ("no colon in here\n".into(), KeyFileError::Line { line: 1 }),
            (
                "# more than 16 bytes\nname: value\n".into(),
                KeyFileError::Name { line: 2 },
            ),
            (
                text.clone() + "kind: file\n",
                KeyFileError::Name { line: 7 },
            ),
            (text.replace("v1", "v2"), KeyFileError::Version),
            (
                text.replace("kind: file", "kind: gcm"),
                KeyFileError::Kind { expected: FILE },
            ),
            (text.replace("5a5a\n", "5a\n"), KeyFileError::Key),
            (text.replace("5a5a\n", "5a5\n"), KeyFileError::Key),
            (
                text.replace("checksum: ", "checksum: 00"),
                KeyFileError::Checksum,
            ),
            (
                text[..text.find("checksum").expect("a line")].into(),
                KeyFileError::Missing { name: "checksum" },
            ),
        ];
        for (content, error) in cases {
            assert_eq!(
                parse(content.as_bytes()).map(|_| ()),
                Err(error),
                "{content}"
            );
        }
    }
}
