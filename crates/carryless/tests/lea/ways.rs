//! C3: whichever way GCM over LEA is asked, it gives the message of one call, as the published vectors have it.

use carryless::{Engine, Gcm, Gmac, Packet};

use crate::harness::{KEY_LENS, Random, engines, key};

#[test]
fn c3_every_way_of_lea_gcm_gives_the_message_of_one_call() {
    let nonce = [7; 12];
    for (key, len) in KEY_LENS
        .map(key)
        .iter()
        .flat_map(|key| [0, 1, 16, 100, 16 * 17, 1500].map(|len| (key, len)))
    {
        let mut random = Random::new(len as u64);
        let (aad, text) = (random.bytes(len % 41), random.bytes(len));
        with_lea!(key.len(), C Peer => {
            let soft = Gcm::<C>::with_engine(key, Engine::Soft32).unwrap();
            let mut sealed = text.clone();
            let tag = soft.seal_in_place(&nonce, &aad, &mut sealed).unwrap();
            let mac = soft.seal_in_place(&nonce, &text, &mut []).unwrap();

            let mut out = text.clone();
            assert_eq!(Gcm::<C>::seal_once(key, &nonce, &aad, &mut out), Ok(tag), "once, {len}");
            assert_eq!(out, sealed, "once, {len}");
            Gcm::<C>::open_once(key, &nonce, &aad, &mut out, &tag).unwrap();
            assert_eq!(out, text, "once, {len}");

            for engine in engines() {
                let gcm = Gcm::<C>::with_engine(key, engine).unwrap();

                let mut texts = [(); 5].map(|()| text.clone());
                let mut packets = texts.each_mut().map(|text| Packet::in_place(&nonce, &aad, text));
                gcm.seal_batch(&mut packets).unwrap();
                assert!(packets.iter().all(|packet| packet.tag() == tag), "{engine}, {len}: a batch");
                assert!(texts.iter().all(|text| *text == sealed), "{engine}, {len}: a batch");
                let mut packets = texts
                    .each_mut()
                    .map(|text| Packet::in_place(&nonce, &aad, text).with_tag(&tag));
                gcm.open_batch(&mut packets).unwrap();
                assert!(texts.iter().all(|opened| *opened == text), "{engine}, {len}: a batch");

                let (message, at) = (gcm.segments(&nonce), len / 32 * 16);
                let mut out = text.clone();
                let (first, rest) = out.split_at_mut(at);
                let parts = [
                    message.seal_in_place(0, first).unwrap(),
                    message.seal_in_place(at as u64, rest).unwrap(),
                ];
                assert_eq!(message.finish(&aad, &parts), Ok(tag), "{engine}, {len}: segments");
                let verified = message.verify(&aad, &parts, &tag).unwrap();
                verified.open_in_place(at as u64, rest).unwrap();
                assert_eq!((&*first, &*rest), (&sealed[..at], &text[at..]), "{engine}, {len}: segments");

                let mut opener = gcm.opener(&nonce).unwrap();
                opener.aad(&aad).unwrap();
                let mut out = sealed.clone();
                opener.open_in_place(&mut out[..len / 3]).unwrap();
                opener.open_in_place(&mut out[len / 3..]).unwrap();
                assert_eq!((opener.finish(&tag), &out), (Ok(()), &text), "{engine}, {len}: opener");

                let gmac = Gmac::<C>::with_engine(key, engine).unwrap();
                assert_eq!(gmac.mac(&nonce, &text), Ok(mac), "{engine}, {len}: GMAC");

                for nonce in [&text[..len.min(1)], &text].into_iter().filter(|nonce| !nonce.is_empty()) {
                    let [mut expected, mut out] = [text.clone(), text.clone()];
                    let tag = soft.seal_in_place(nonce, &aad, &mut expected);
                    assert_eq!(gcm.seal_in_place(nonce, &aad, &mut out), tag, "{engine}, {len}: nonce");
                    assert_eq!(out, expected, "{engine}, {len}: nonce");
                }
                println!("C3 {engine}: 1 messages of LEA-GCM in every way");
            }
        });
    }
}
