//! What is not authentic, of whatever seals and opens, codes too: it is refused, with one error, and nothing is left of it.

use super::scheme::{Case, Input, Refused, Scheme};
use super::{Checked, ensure};

/// A scheme for a key.
pub(crate) type Make<'m> = &'m dyn Fn(&[u8]) -> Box<dyn Scheme>;

/// A case with its ciphertext and tag.
pub(crate) struct Sealed {
    pub(crate) case: Case,
    pub(crate) ciphertext: Vec<u8>,
    pub(crate) tag: Vec<u8>,
}

impl Sealed {
    /// What is opened.
    fn input(&self) -> Input<'_> {
        Input {
            text: &self.ciphertext,
            ..self.case.input()
        }
    }
}

/// `bytes` with bit `i` flipped.
pub(crate) fn flipped(bytes: &[u8], i: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[i / 8] ^= 1 << (i % 8);
    bytes
}

/// Whether a message is refused as not authentic, and leaves zeros.
///
/// * `what`: what is wrong with it.
fn is_refused(scheme: &dyn Scheme, input: Input<'_>, tag: &[u8], what: &str) -> Result<(), String> {
    let mut out = vec![0xa5; input.text.len()];
    let result = scheme.open(input, tag, &mut out);
    ensure!(
        matches!(result, Err(Refused::Unauthentic(_))),
        "{scheme}: {what}: {result:?}"
    );
    ensure!(
        out.iter().all(|byte| *byte == 0),
        "{scheme}: {what}: output left"
    );
    Ok(())
}

/// Whether a message stops being authentic with any single bit, a byte less and a byte more, and leaves zeros: a scheme in pieces
/// zeroes what it is given itself.
///
/// * `step`: of so many bits one is flipped.
pub(crate) fn every_flip_fails(sealed: &Sealed, step: usize, make: Make<'_>) -> Checked {
    let Sealed {
        case,
        ciphertext,
        tag,
    } = sealed;
    let Case {
        key,
        nonce,
        aad,
        text,
        ..
    } = case;
    let (scheme, right) = (make(key), sealed.input());
    let mut out = vec![0xa5; text.len()];
    scheme
        .open(right, tag, &mut out)
        .map_err(|error| format!("{scheme}: {error:?}"))?;
    ensure!(out == *text, "{scheme}: opened to another text");
    let mut count = 0;
    let mut fails = |scheme: &dyn Scheme, input: Input<'_>, tag: &[u8], what: &str, bit: usize| {
        count += 1;
        is_refused(
            scheme,
            input,
            tag,
            &format!("bit {bit} of the {what} flipped"),
        )
    };
    let bits = |bytes: &[u8]| (0..8 * bytes.len()).step_by(step);
    for bit in bits(key) {
        fails(&*make(&flipped(key, bit)), right, tag, "key", bit)?;
    }
    for bit in bits(nonce) {
        let nonce: &[u8] = &flipped(nonce, bit);
        fails(&*scheme, Input { nonce, ..right }, tag, "nonce", bit)?;
    }
    for bit in bits(aad) {
        let aad: &[u8] = &flipped(aad, bit);
        fails(&*scheme, Input { aad, ..right }, tag, "AAD", bit)?;
    }
    for bit in bits(ciphertext) {
        let text: &[u8] = &flipped(ciphertext, bit);
        fails(&*scheme, Input { text, ..right }, tag, "ciphertext", bit)?;
    }
    for bit in bits(tag) {
        fails(&*scheme, right, &flipped(tag, bit), "tag", bit)?;
    }
    // Shorter by a byte, longer by a zero: what a hash of padded blocks could confuse.
    if let [text @ .., _] = &ciphertext[..] {
        fails(&*scheme, Input { text, ..right }, tag, "text, cut,", 0)?;
    }
    if let [aad @ .., _] = &aad[..] {
        fails(&*scheme, Input { aad, ..right }, tag, "AAD, cut,", 0)?;
    }
    let aad: &[u8] = &[&aad[..], &[0]].concat();
    fails(
        &*scheme,
        Input { aad, ..right },
        tag,
        "AAD, with a zero,",
        0,
    )?;
    Ok(count)
}

/// Lengths of AAD and text of messages that are refused.
pub(crate) const LENS: [(usize, usize); 7] = [
    (0, 1),
    (5, 0),
    (5, 16),
    (0, 33),
    (17, 33),
    (60, 300),
    (0, 1000),
];

/// Whether opening fails alike for a wrong tag, text, AAD, nonce and key; the one text of the error.
pub(crate) fn is_uniform(messages: &[Sealed], make: Make<'_>) -> Result<String, String> {
    let mut texts: Vec<String> = Vec::new();
    for sealed in messages {
        let Sealed {
            case,
            ciphertext,
            tag,
        } = sealed;
        let Case {
            key, nonce, aad, ..
        } = case;
        let (scheme, right) = (make(key), sealed.input());
        let wrong = |bytes: &[u8]| bytes.iter().map(|byte| byte ^ 0x10).collect::<Vec<u8>>();
        let mut open = |scheme: &dyn Scheme, input: Input<'_>, tag: &[u8], what: &str| {
            let mut out = vec![0; input.text.len()];
            match scheme.open(input, tag, &mut out) {
                Err(Refused::Unauthentic(text)) => {
                    texts.push(text);
                    Ok(())
                }
                other => Err(format!("{scheme}, {case}: wrong {what} gives {other:?}")),
            }
        };
        for byte in 0..tag.len() {
            open(&*scheme, right, &flipped(tag, 8 * byte + 7), "tag")?;
        }
        open(&*make(&wrong(key)), right, tag, "key")?;
        if !nonce.is_empty() {
            let nonce: &[u8] = &wrong(nonce);
            open(&*scheme, Input { nonce, ..right }, tag, "nonce")?;
        }
        if !ciphertext.is_empty() {
            let text: &[u8] = &wrong(ciphertext);
            open(&*scheme, Input { text, ..right }, tag, "text")?;
        }
        if !aad.is_empty() {
            let aad: &[u8] = &wrong(aad);
            open(&*scheme, Input { aad, ..right }, tag, "AAD")?;
            open(&*scheme, Input { aad: &[], ..right }, tag, "AAD")?;
        }
    }
    ensure!(
        texts.windows(2).all(|two| two[0] == two[1]),
        "different errors: {texts:?}"
    );
    Ok(texts.swap_remove(0))
}

/// Whether the output of a failed opening is zeros.
///
/// * `sealed`: the ciphertext and the tag of the first bytes of the case's text, of so many.
pub(crate) fn is_wiped(
    scheme: &dyn Scheme,
    case: &Case,
    lens: impl Iterator<Item = usize>,
    sealed: impl Fn(usize) -> (Vec<u8>, Vec<u8>),
) -> Checked {
    let mut count = 0;
    for len in lens {
        let (text, mut tag) = sealed(len);
        let at = len % tag.len();
        tag[at] ^= 1 << (len % 8);
        let input = Input {
            text: &text,
            ..case.input()
        };
        is_refused(scheme, input, &tag, &format!("{len} bytes"))?;
        count += 1;
    }
    Ok(count)
}
