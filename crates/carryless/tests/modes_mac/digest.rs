use carryless::{Aes256, Cmac, Gmac, GmacOnce};
use digest::common::{KeyInit, KeyIvInit};
use digest::{FixedOutputReset, Mac};

use crate::bytes;

#[test]
fn c2_the_traits_give_what_the_methods_do() {
    let data = bytes(100);
    for len in 0..100 {
        let (head, tail) = data[..len].split_at(len / 3);
        let cmac = Cmac::<Aes256, 12>::from_slice(&[5; 32]).unwrap();
        let mut mac = <Cmac<Aes256, 12> as KeyInit>::new(&[5; 32].into());
        Mac::update(&mut mac, b"other");
        Mac::reset(&mut mac);
        for _ in 0..2 {
            let made = {
                Mac::update(&mut mac, head);
                Mac::update(&mut mac, tail);
                mac.finalize_fixed_reset()
            };
            assert_eq!(made[..], cmac.mac(&data[..len]), "{len}");
        }
        mac.chain_update(&data[..len])
            .verify_slice(&cmac.mac(&data[..len]))
            .unwrap();

        let gmac = Gmac::<Aes256>::from_slice(&[5; 32]).unwrap();
        let mac = GmacOnce::<Aes256>::new(&[5; 32].into(), &[1; 12].into());
        let made = mac
            .chain_update(head)
            .chain_update(tail)
            .finalize()
            .into_bytes();
        assert_eq!(made[..], gmac.mac(&[1; 12], &data[..len]).unwrap(), "{len}");
    }
}
