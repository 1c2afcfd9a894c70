//! What is called, on which lengths.

use core::fmt;

use carryless_assure::Cipher;

/// A way into the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    /// `Gcm::with_engine`.
    Key,
    /// `Gcm::from_slice`, on the engine that is selected.
    SelectedKey,
    /// `Gcm::seal_in_place`.
    Seal,
    /// `Gcm::open_in_place` with the right tag.
    Open,
    /// `Gcm::open_in_place` with a wrong tag.
    Forgery,
    /// `Gcm::seal_into`.
    SealInto,
    /// `Gcm::open_into` with a wrong tag.
    ForgeryInto,
    /// `Gcm::seal_scatter`, in three pieces.
    Scatter,
    /// `Segments`: two sealed, merged, sent, finished.
    Segments,
    /// `Segments`: authenticated, verified, opened.
    OpenSegments,
    /// `Segments::verify` with a wrong tag.
    ForgerySegments,
    /// `Gcm::seal_batch`, of six packets, the first four of the same length.
    Batch,
    /// `Gcm::open_batch`: the right tag among wrong ones.
    OpenBatch,
    /// `Gcm::open_batch`, all tags wrong.
    ForgeryBatch,
    /// `Gcm::open_within`, shifted.
    OpenWithin,
    /// `Gcm::seal_once`.
    SealOnce,
    /// `Gcm::open_once` with the right tag.
    OpenOnce,
    /// `Gcm::open_once` with a wrong tag.
    ForgeryOnce,
    /// `Sealer`, AAD and text in pieces.
    Sealer,
    /// `hazmat::Opener`, AAD and text in pieces, with the right tag.
    Opener,
    /// `hazmat::Opener` with a wrong tag.
    ForgeryOpener,
    /// `Gmac::mac`, of the AAD, and `GmacStream`.
    Mac,
    /// `Gmac::verify` and `GmacStream::verify` with the right tag.
    Verify,
    /// Both with a wrong tag.
    VerifyForgery,
    /// `RandomNonceSealer::seal_in_place`.
    RandomNonce,
    /// `Gcm` with tags of four bytes: sealing, opening with a wrong tag.
    ShortTag,
    /// `hazmat::BlockCipher`: key set-up and the whole blocks of the text, there and back.
    Blocks,
    /// `hazmat::BlockCipher`: counter mode, both widths of the counter; `hazmat::Ctr` in pieces, and back.
    Ctr,
    /// `hazmat::Ghash` with a secret H: AAD, then text.
    Ghash,
    /// `hazmat::Polyval` likewise.
    Polyval,
    /// `hazmat::{CbcEncryptor, CbcDecryptor, pkcs7}`: there and back, with a right padding and a wrong one.
    Cbc,
    /// `hazmat::Xts`: there and back, a data unit and a run of sectors.
    Xts,
    /// `Cmac`: whole, in pieces, several in one call, with right tags and a wrong one.
    Cmac,
    /// `Ccm`: sealed, and opened with the right tag and a wrong one.
    Ccm,
    /// `CcmSealer`, `hazmat::CcmOpener`: in pieces, with a wrong tag.
    CcmStreams,
    /// `GcmSiv`, as `Ccm`.
    Siv,
    /// `XAes256Gcm`, as `Ccm`.
    Xaes,
    /// `sgcm::Sgcm`, as `Ccm`.
    Sgcm,
    /// `SgcmSealer`, `hazmat::sgcm::SgcmOpener`, as `CcmStreams`.
    SgcmStreams,
}

/// One case: a call and its lengths in bytes, which are public.
pub(crate) struct Case {
    pub(crate) call: Call,
    pub(crate) cipher: Cipher,
    pub(crate) nonce_len: usize,
    pub(crate) aad_len: usize,
    pub(crate) text_len: usize,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            call,
            cipher,
            nonce_len,
            aad_len,
            text_len,
        } = self;
        write!(
            f,
            "{call:?}, {cipher:?}, nonce {nonce_len}, aad {aad_len}, text {text_len}"
        )
    }
}

/// How many lengths.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Around every block of the first turns, and around later turns, under each cipher.
    Whole,
    /// So under AES-128; one length for each kind of path under the others.
    Middle,
    /// For sealing and opening one length for each kind of path, under each cipher, the longest under AES-128 alone; for other calls a
    /// short and a long one.
    Little,
    /// Every call once.
    Glance,
}

impl Extent {
    /// The extent of this name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        match name {
            "whole" => Some(Self::Whole),
            "middle" => Some(Self::Middle),
            "little" => Some(Self::Little),
            "glance" => Some(Self::Glance),
            _ => None,
        }
    }

    /// Of the ciphers that a call has.
    fn ciphers(self, all: &[Cipher]) -> &[Cipher] {
        match self {
            Self::Whole | Self::Middle | Self::Little => all,
            Self::Glance => &all[..1],
        }
    }

    /// Of AAD and text, for sealing and opening.
    fn edges(self, cipher: Cipher) -> Vec<(usize, usize)> {
        match (self, cipher) {
            (Self::Whole, _) | (Self::Middle, Cipher::Aes128) => every_edge(),
            (Self::Little, Cipher::Aes192 | Cipher::Aes256) => some_short_edges(),
            (Self::Middle | Self::Little, _) => [some_short_edges(), vec![LONG]].concat(),
            (Self::Glance, _) => vec![(20, 33)],
        }
    }

    /// Of nonces that are hashed.
    fn nonces(self) -> &'static [usize] {
        match self {
            Self::Whole => &[1, 8, 13, 16, 17, 60],
            Self::Middle => &[8, 17],
            Self::Little | Self::Glance => &[8],
        }
    }

    /// Of text, for the other calls: no block, one, a partial one, turns of four, eight, sixteen and thirty-two
    /// blocks, and a last pass behind them; of fewer lengths a short and a long one at least.
    fn others(self) -> &'static [usize] {
        match self {
            Self::Whole => &[0, 1, 15, 16, 17, 33, 64, 127, 128, 129, 144, 257, 400, 530],
            Self::Middle => &[0, 17, 129, 161, 530],
            Self::Little => &[17, 530],
            Self::Glance => &[33],
        }
    }

    /// Of text, for the modes beside GCM and for LEA: no block, partial ones, eight and ten blocks, and more than the widest
    /// engine takes a turn.
    fn modes(self) -> &'static [usize] {
        match self {
            Self::Whole | Self::Middle => &[0, 17, 129, 161, 530],
            Self::Little => &[17, 530],
            Self::Glance => &[33],
        }
    }

    /// Of text, for counter mode, CCM and AES-GCM-SIV: one more, beyond what any engine seals in one call or takes block by block.
    fn long(self) -> &'static [usize] {
        match self {
            Self::Whole | Self::Middle | Self::Little => &[4200],
            Self::Glance => &[],
        }
    }

    /// Of text, for batches: up to eight blocks, whole and partial.
    fn batches(self) -> &'static [usize] {
        match self {
            Self::Whole => &[
                0, 1, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 100, 128,
            ],
            Self::Middle => &[0, 16, 17, 48, 61, 100],
            Self::Little => &[17, 100],
            Self::Glance => &[33],
        }
    }
}

/// Calls that take four short texts at a time, beside a block of AAD at most.
const BATCHES: [Call; 3] = [Call::Batch, Call::OpenBatch, Call::ForgeryBatch];

/// Calls besides sealing and opening, which get all lengths.
const OTHERS: [Call; 20] = [
    Call::SealInto,
    Call::ForgeryInto,
    Call::Scatter,
    Call::Segments,
    Call::OpenSegments,
    Call::ForgerySegments,
    Call::Batch,
    Call::OpenBatch,
    Call::ForgeryBatch,
    Call::OpenWithin,
    Call::SealOnce,
    Call::OpenOnce,
    Call::ForgeryOnce,
    Call::Sealer,
    Call::Opener,
    Call::ForgeryOpener,
    Call::RandomNonce,
    Call::ShortTag,
    Call::Blocks,
    Call::Ctr,
];

/// Calls that have no text.
const MACS: [Call; 3] = [Call::Mac, Call::Verify, Call::VerifyForgery];

/// Modes beside GCM under the ciphers that they have, and GCM under LEA.
const MODES: [(&[Call], &[Cipher]); 6] = [
    // It has no key but H.
    (&[Call::Polyval], &[Cipher::Aes128]),
    (&[Call::Xts, Call::Siv], &[Cipher::Aes128, Cipher::Aes256]),
    (&[Call::Xaes], &[Cipher::Aes256]),
    (&CIPHER_MODES, &Cipher::AES),
    (&CIPHER_MODES, &Cipher::LEA),
    (
        &[
            Call::Key,
            Call::Seal,
            Call::Open,
            Call::Forgery,
            Call::SealOnce,
            Call::ForgeryOnce,
            Call::Sealer,
            Call::ForgeryOpener,
            Call::Segments,
            Call::Batch,
            Call::Mac,
            Call::Blocks,
            Call::Ctr,
        ],
        &Cipher::LEA,
    ),
];

/// Modes of any cipher.
const CIPHER_MODES: [Call; 6] = [
    Call::Cbc,
    Call::Cmac,
    Call::Ccm,
    Call::CcmStreams,
    Call::Sgcm,
    Call::SgcmStreams,
];

/// Every case.
pub(crate) fn all(extent: Extent) -> Vec<Case> {
    let mut cases = Vec::new();
    for &cipher in extent.ciphers(&Cipher::AES) {
        let mut add = |call, nonce_len, aad_len, text_len| {
            cases.push(Case {
                call,
                cipher,
                nonce_len,
                aad_len,
                text_len,
            });
        };
        add(Call::Key, 12, 0, 0);
        add(Call::SelectedKey, 12, 0, 0);
        for (aad_len, text_len) in extent.edges(cipher) {
            for call in [Call::Seal, Call::Open, Call::Forgery] {
                add(call, 12, aad_len, text_len);
            }
        }
        for &nonce_len in extent.nonces() {
            for text_len in [0, 17, 130] {
                for call in [Call::Seal, Call::Open, Call::Forgery, Call::Sealer] {
                    add(call, nonce_len, 20, text_len);
                }
            }
        }
        for &text_len in extent.batches() {
            for call in BATCHES {
                add(call, 12, 13, text_len);
            }
        }
        for &text_len in extent.others() {
            for call in OTHERS {
                add(call, 12, 20, text_len);
            }
            for call in MACS {
                add(call, 12, text_len, 0);
            }
            // It has no key but H.
            if cipher == Cipher::Aes128 {
                add(Call::Ghash, 12, 20, text_len);
            }
        }
        for &text_len in extent.long() {
            add(Call::Ctr, 12, 20, text_len);
        }
    }
    for (calls, ciphers) in MODES {
        for &cipher in extent.ciphers(ciphers) {
            for &call in calls {
                let long = match call {
                    Call::Siv | Call::Ccm => extent.long(),
                    _ => &[],
                };
                cases.extend(extent.modes().iter().chain(long).map(|&text_len| Case {
                    call,
                    cipher,
                    nonce_len: 12,
                    aad_len: 20,
                    text_len,
                }));
            }
        }
    }
    cases
}

/// AAD and a text whose counter blocks come with their first round done, out of a table.
const LONG: (usize, usize) = (20, (64 << 10) + 1);

/// Lengths of AAD and text: one of each kind of path through a kernel, but for [`LONG`].
fn some_short_edges() -> Vec<(usize, usize)> {
    vec![
        (0, 0),
        (20, 0),
        (0, 1),
        (16, 16),
        (64, 17),
        (0, 100),
        (13, 128),
        (20, 129),
        (0, 273),
        (0, 520),
    ]
}

/// Lengths of AAD and text around every block of the first turns, and around later turns.
fn every_edge() -> Vec<(usize, usize)> {
    let blocks = (0..=18usize).chain([24, 25, 31, 32, 33, 48, 49, 64, 65]);
    let texts: Vec<usize> = blocks
        .flat_map(|block| {
            [
                (16 * block).checked_sub(1),
                Some(16 * block),
                Some(16 * block + 1),
            ]
        })
        .flatten()
        .collect();
    let with = |aad_len| texts.iter().map(move |text_len| (aad_len, *text_len));
    // Around a block, around the AAD that is hashed inside the kernel, around turns.
    let aads = [1, 15, 16, 17, 47, 48, 49, 64, 65, 127, 128, 129, 144, 257];
    let beside = aads
        .iter()
        .flat_map(|aad_len| [0, 17, 130].map(|text_len| (*aad_len, text_len)));
    with(0)
        .chain(with(20))
        .chain(beside)
        .chain([LONG])
        .collect()
}
