//! `carryless inspect`: what a sealed file says of itself. Numbers, names of ours and hexadecimal digits
//! only, so that no file can make a terminal do anything.

use core::fmt::Write;
use std::io::Read;

use carryless_file::cobblestone::{HEADER_LEN, SALT_LEN, TAG_LEN, plaintext_len};
use carryless_file::container::{Header, MAGIC, Slot, VERSION, is_container};
use serde::Serialize;

use super::each::{self, Common, Made};
use crate::answer;
use crate::args::Inspect;
use crate::exit::Failure;
use crate::input::Input;
use crate::print;
use crate::targets::Kept;

/// A nonce and a tag: the shortest GCM message.
const GCM_OVERHEAD: u64 = 12 + TAG_LEN as u64;

#[derive(Serialize)]
struct Container {
    #[serde(flatten)]
    file: answer::File,
    format: &'static str,
    authenticated: bool,
    version: u8,
    file_id: String,
    cipher: &'static str,
    slots: Vec<SlotLine>,
    header_len: usize,
    /// By the length of the file; `None` of a pipe, or where no stream has that length.
    plaintext_len: Option<u64>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum SlotLine {
    Key {
        id: String,
    },
    Passphrase {
        memory_kib: u32,
        passes: u32,
        lanes: u8,
    },
    Recipient {
        kem: &'static str,
        draft: bool,
    },
    Unknown {
        number: u8,
    },
}

/// What has no magic may be either.
#[derive(Serialize)]
struct Other {
    #[serde(flatten)]
    file: answer::File,
    format: Option<&'static str>,
    authenticated: bool,
    as_cobblestone: Option<Stream>,
    as_gcm: Message,
}

#[derive(Serialize)]
struct Stream {
    salt: String,
    commitment: String,
    plaintext_len: Option<u64>,
}

#[derive(Serialize)]
struct Message {
    nonce: String,
    plaintext_len: Option<u64>,
}

pub fn run(args: &Inspect) -> Result<(), Failure> {
    // No bars, and no work for threads: all of it is in what is said, which comes in order.
    let common = Common::new(&args.inputs, args.json, true, 1, Kept::default());
    each::each(&args.inputs, &common, |named, _| {
        let input = Input::open(named.path)?;
        input.refuse_terminal()?;
        Made::of(None, move || inspect(input, args.json))
    })
}

fn inspect(mut input: Input, json: bool) -> Result<(), Failure> {
    let mut start = [0; HEADER_LEN];
    let got = input.fill(&mut start[..MAGIC.len()])?;
    if is_container(&start[..got]) {
        container(&mut input, json)
    } else {
        let got = got + input.fill(&mut start[got..])?;
        other(&input, &start[..got], json)
    }
}

fn container(input: &mut Input, json: bool) -> Result<(), Failure> {
    let name = input.name.clone();
    let header = Header::read(&mut MAGIC.chain(&mut *input))
        .map_err(|error| Failure::container(&name, error))?;
    let header_len = header.as_bytes().len();
    let payload = input.len().map(|len| len.saturating_sub(header_len as u64));
    let container = Container {
        file: input.named(),
        format: "container",
        authenticated: false,
        version: VERSION,
        file_id: hex::encode(header.file_id()),
        cipher: header.cipher().name(),
        slots: header.slots().map(SlotLine::from).collect(),
        header_len,
        plaintext_len: payload.and_then(|len| plaintext_len(len).ok()),
    };
    if json {
        return print::json(&container);
    }
    print::data(&container.text())
}

fn other(input: &Input, start: &[u8], json: bool) -> Result<(), Failure> {
    let shortest = usize::try_from(GCM_OVERHEAD).expect("28");
    if start.len() < shortest {
        let error = format!("it has {} bytes: no sealed file is that short", start.len());
        return Err(Failure::unauthentic(&input.name, &error));
    }
    let as_cobblestone = (start.len() == HEADER_LEN).then(|| Stream {
        salt: hex::encode(&start[..SALT_LEN]),
        commitment: hex::encode(&start[SALT_LEN..]),
        plaintext_len: input.len().and_then(|len| plaintext_len(len).ok()),
    });
    let other = Other {
        file: input.named(),
        format: None,
        authenticated: false,
        as_cobblestone,
        as_gcm: Message {
            nonce: hex::encode(&start[..12]),
            plaintext_len: input.len().and_then(|len| len.checked_sub(GCM_OVERHEAD)),
        },
    };
    if json {
        return print::json(&other);
    }
    print::data(&other.text())
}

impl From<Slot> for SlotLine {
    fn from(slot: Slot) -> Self {
        match slot {
            Slot::Key { id } => Self::Key { id: id.to_string() },
            Slot::Passphrase { cost } => Self::Passphrase {
                memory_kib: cost.memory_kib(),
                passes: cost.passes(),
                lanes: cost.lanes(),
            },
            Slot::Recipient { kem } => Self::Recipient {
                kem: kem.name(),
                draft: kem.is_draft(),
            },
            Slot::Unknown { number } => Self::Unknown { number },
            _ => Self::Unknown { number: 0 },
        }
    }
}

const WARNING: &str = "  nothing of this is authenticated: it is what the file says of itself";

impl Container {
    fn text(&self) -> String {
        let mut text = format!(
            "{}: carryless container, version {}\n{WARNING}\n  file id  {}\n  cipher   {}\n  text     {}\n",
            self.file.file,
            self.version,
            self.file_id,
            self.cipher,
            bytes(self.plaintext_len),
        );
        for (number, slot) in (1..).zip(&self.slots) {
            let _ = writeln!(text, "  slot {number:<2}  {}", slot.text());
        }
        text
    }
}

impl SlotLine {
    fn text(&self) -> String {
        match self {
            Self::Key { id } => format!("key file with the id {id}"),
            Self::Passphrase {
                memory_kib,
                passes,
                lanes,
            } => format!(
                "passphrase; a try takes Argon2id with {memory_kib} KiB, {passes} passes, {lanes} lanes"
            ),
            Self::Recipient { kem, draft } => {
                let draft = if *draft { ", a draft" } else { "" };
                format!("recipient of the kind {kem}{draft}; for whom, it does not say")
            }
            Self::Unknown { number } => format!("type {number}, which this version does not know"),
        }
    }
}

impl Other {
    fn text(&self) -> String {
        let mut text = format!("{}: no container\n{WARNING}\n", self.file.file);
        if let Some(stream) = &self.as_cobblestone {
            let _ = writeln!(
                text,
                "  as --format cobblestone: {}; salt {}, commitment {}",
                bytes(stream.plaintext_len),
                stream.salt,
                stream.commitment,
            );
        }
        let _ = writeln!(
            text,
            "  as --format gcm: {}; nonce {}",
            bytes(self.as_gcm.plaintext_len),
            self.as_gcm.nonce,
        );
        text
    }
}

fn bytes(len: Option<u64>) -> String {
    len.map_or_else(|| "of unknown length".into(), |len| format!("{len} bytes"))
}
