//! Headers made by hand, with zeros for the MAC: what is in them need not be right.

/// A header of these slots.
pub(crate) fn header(slots: &[u8]) -> Vec<u8> {
    let len = u16::try_from(slots.len()).expect("two bytes of length");
    let start = *b"\x93CLESS\r\n\x01\x01the id of a file";
    [&start[..], &len.to_be_bytes(), slots, &[0; 32]].concat()
}

pub(crate) fn slot(kind: u8, body: &[u8]) -> Vec<u8> {
    let len = u16::try_from(body.len()).expect("two bytes of length");
    [&[kind][..], &len.to_be_bytes(), body].concat()
}

pub(crate) fn passphrase_slot(memory_kib: u32, passes: u32, lanes: u8) -> Vec<u8> {
    let cost = [
        &memory_kib.to_be_bytes()[..],
        &passes.to_be_bytes(),
        &[lanes],
    ]
    .concat();
    slot(2, &[&cost[..], &[0; 120]].concat())
}
