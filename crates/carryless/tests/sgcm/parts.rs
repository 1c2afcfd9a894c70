//! What is behind `hazmat`: the field, the hash alone, the opener.

use carryless::error::InputError;
use carryless::hazmat::sgcm::{Element, Sghash};
use carryless::sgcm::Aes256Sgcm;

use crate::{UNAUTHENTIC, engines, lines, unhex};

/// 33 digits as an element.
fn element(digits: &str) -> Element {
    let bytes = unhex(&format!("0{digits}"));
    Element::from_be_bytes(&bytes.try_into().unwrap()).unwrap()
}

#[test]
fn c1_sums_and_products_come_out() {
    for (name, words) in lines("field") {
        let [a, b, sum, product] = words[..].try_into().unwrap();
        let (a, b) = (element(a), element(b));
        let [sum, product] = [sum, product].map(|word| element(word).to_be_bytes());
        assert_eq!((a + b).to_be_bytes(), sum, "{name}");
        assert_eq!((a * b).to_be_bytes(), product, "{name}");
    }
}

#[test]
fn c1_hashes_come_out_on_every_engine() {
    for engine in engines() {
        let mut count = 0;
        for (name, words) in lines("hash") {
            let [h, blocks, y] = words[..].try_into().unwrap();
            let h = unhex(h).try_into().unwrap();
            let mut hash = Sghash::with_engine(&h, engine).unwrap();
            hash.update(&unhex(blocks));
            let got = hash.element().to_be_bytes();
            assert_eq!(got, element(y).to_be_bytes(), "{engine}, {name}");
            assert_eq!(hash.finish()[..], got[1..], "{engine}, {name}");
            count += 1;
        }
        println!("C1 {engine}: {count} hashes of SGCM");
        assert_eq!(count, 487);
    }
}

#[test]
fn u1_a_failed_opening_in_pieces_has_the_one_error() {
    for engine in engines() {
        let sgcm = Aes256Sgcm::with_engine(&[1; 32], engine).unwrap();
        let mut opener = sgcm.opener(&[0; 12]).unwrap();
        opener.open_in_place(&mut [7; 20]).unwrap();
        assert_eq!(opener.finish(&[0; 16]), UNAUTHENTIC);
        println!("U1 {engine}: 1 ways into SGCM with one error");
    }
}

#[test]
fn u3_an_opener_refuses_a_tag_of_another_size() {
    for engine in engines() {
        let sgcm = Aes256Sgcm::with_engine(&[1; 32], engine).unwrap();
        let opener = sgcm.opener(&[0; 12]).unwrap();
        let error = InputError::Tag {
            got: 12,
            expected: 16,
        };
        assert_eq!(opener.finish(&[0; 12]), Err(error.into()));
        println!("U3 {engine}: 1 wrong inputs to SGCM refused");
    }
}
