//! U3: what is printed of keys and streams.

use carryless::Aes256Gcm;

use crate::harness::engines;

/// No line of a key is printed, whatever is printed.
#[test]
fn u3_debug_output_has_no_byte_of_a_key() {
    let key: Vec<u8> = (0xd0..0xf0).collect();
    let hidden = |shown: &str| {
        for window in key.windows(2) {
            let forms = [
                format!("{window:?}"),
                format!("{window:x?}"),
                hex::encode(window),
            ];
            for form in forms {
                let form = form.trim_matches(['[', ']']);
                assert!(!shown.contains(form), "{shown} has {form}");
            }
        }
    };
    let shows = |name: &str, value: &dyn core::fmt::Debug| {
        let shown = format!("{value:?}");
        assert!(shown.starts_with(name), "{shown} is a {name}");
        hidden(&shown);
        hidden(&format!("{value:#?}"));
    };
    for engine in engines() {
        let gcm = Aes256Gcm::with_engine(&key, engine).unwrap();
        let mut sealer = gcm.sealer(&[1; 12]).unwrap();
        sealer.seal_in_place(&mut [0; 50]).unwrap();
        shows("Sealer", &sealer);
        shows("Gcm", &gcm);
        let segments = gcm.segments(&[1; 12]);
        shows("Segments", &segments);
        shows("Partial", &segments.seal_in_place(0, &mut [0; 50]).unwrap());
        assert!(
            format!("{gcm:?}").contains("AES-256"),
            "the cipher's name helps"
        );
        let gmac = carryless::Gmac::<carryless::Aes256>::with_engine(&key, engine).unwrap();
        shows("Gmac", &gmac);
        #[cfg(feature = "getrandom")]
        shows(
            "RandomNonceSealer",
            &carryless::RandomNonceSealer::new(gcm.clone()),
        );
        #[cfg(feature = "hazmat")]
        {
            use carryless::hazmat::{BlockCipher, Ghash};

            shows("Opener", &gcm.opener(&[1; 12]).unwrap());
            let cipher = BlockCipher::<carryless::Aes256>::with_engine(&key, engine).unwrap();
            shows("BlockCipher", &cipher);
            let h: [u8; 16] = key[..16].try_into().unwrap();
            let ghash = Ghash::with_engine(&h, engine).unwrap();
            shows("Ghash", &ghash);
            assert!(format!("{ghash:?}").contains(&format!("{engine:?}")));
        }
    }
}
