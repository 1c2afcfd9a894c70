//! U3 for batches: what is refused, packet by packet.

use carryless::error::{InputError, OpenError};
use carryless::{Aes192Gcm, Packet};

#[test]
fn u3_a_batch_refuses_what_a_single_call_does() {
    let key = Aes192Gcm::from_slice(&[1; 24]).unwrap();
    assert_eq!(key.seal_batch(&mut []), Ok(()));
    assert_eq!(key.open_batch(&mut []), Ok(()));
    assert_eq!(Aes192Gcm::seal_batch_keyed(&[], &mut []), Ok(()));
    let (mut one, mut two, mut three) = (*b"one", *b"two", *b"three");
    {
        let mut packets = [Packet::in_place(&[1; 12], b"", &mut one)];
        let untouched = OpenError::Input(InputError::PacketUntouched);
        assert_eq!(packets[0].result(), Err(untouched));
        let error = OpenError::Input(InputError::Keys {
            got: 2,
            expected: 1,
        });
        assert_eq!(
            Aes192Gcm::seal_batch_keyed(&[&key, &key], &mut packets),
            Err(error)
        );
        assert_eq!(
            Aes192Gcm::open_batch_keyed(&[&key, &key], &mut packets),
            Err(error)
        );
        assert_eq!(
            (packets[0].result(), packets[0].tag()),
            (Err(untouched), &[][..])
        );
    }
    assert_eq!(&one, b"one");
    let tag = key.seal_in_place(&[3; 12], b"", &mut three).unwrap();
    for len in [0, 15, 17, 1000] {
        let tag_of_len = vec![0; len];
        let mut sealed = three;
        let mut packets = [
            Packet::in_place(&[1; 12], b"", &mut one).with_tag(&tag_of_len),
            Packet::in_place(&[3; 12], b"", &mut sealed).with_tag(&tag),
            Packet::in_place(&[2; 12], b"", &mut two),
        ];
        let error = |got| OpenError::Input(InputError::Tag { got, expected: 16 });
        assert_eq!(key.open_batch(&mut packets), Err(error(len)));
        let results = packets.each_ref().map(Packet::result);
        assert_eq!(results, [Err(error(len)), Ok(()), Err(error(0))]);
        assert_eq!(
            (&one, &sealed, &two),
            (b"one", b"three", b"two"),
            "refused, and as it was"
        );
    }
    fours_refuse();
    let error = InputError::Output {
        got: 2,
        expected: 3,
    };
    let unequal = Packet::between(&[1; 12], b"", b"abc", &mut two[..2]).map(drop);
    assert_eq!(unequal, Err(error));
}

/// Four short packets, which kernels take together: one or all with tags of another length, and all a second time.
fn fours_refuse() {
    let key = Aes192Gcm::from_slice(&[1; 24]).unwrap();
    let nonces = [[1; 12], [2; 12], [3; 12], [4; 12]];
    let mut texts = [*b"four short texts"; 4];
    let mut places = texts.iter_mut().zip(&nonces);
    let mut packets: [Packet<'_>; 4] = core::array::from_fn(|_| {
        let (text, nonce) = places.next().unwrap();
        Packet::in_place(nonce, b"", text)
    });
    assert_eq!(key.seal_batch(&mut packets), Ok(()));
    let tags = packets.each_ref().map(|packet| packet.tag().to_vec());
    let used = Err(OpenError::Input(InputError::PacketUsed));
    assert_eq!(key.seal_batch(&mut packets), used);
    assert_eq!(key.open_batch(&mut packets), used);
    assert!(packets.iter().all(|packet| packet.result() == Ok(())));
    let sealed = texts;
    assert_ne!(sealed[0], *b"four short texts");
    for (got, cut) in [0, 12, 15, 17]
        .into_iter()
        .flat_map(|got| [(got, 2..3), (got, 0..4)])
    {
        let mut texts = sealed;
        let mut places = texts.iter_mut().zip(&nonces).zip(&tags).enumerate();
        let mut packets: [Packet<'_>; 4] = core::array::from_fn(|_| {
            let (n, ((text, nonce), tag)) = places.next().unwrap();
            let longer = [&tag[..], &[0]].concat();
            let tag = if cut.contains(&n) {
                &longer[..got]
            } else {
                &tag[..]
            };
            Packet::in_place(nonce, b"", text).with_tag(tag)
        });
        let wrong = Err(OpenError::Input(InputError::Tag { got, expected: 16 }));
        assert_eq!(key.open_batch(&mut packets), wrong);
        let results = packets.each_ref().map(Packet::result);
        for (n, result) in results.into_iter().enumerate() {
            let (right, text) = if cut.contains(&n) {
                (wrong, &sealed[n])
            } else {
                (Ok(()), b"four short texts")
            };
            assert_eq!((result, &texts[n]), (right, text), "refused, and as it was");
        }
    }
}

/// To seal a text twice under one nonce gives it back.
#[test]
fn u3_a_packet_is_for_one_call() {
    let key = Aes192Gcm::from_slice(&[3; 24]).unwrap();
    let text = [7; 40];
    let mut buffer = text;
    let mut packets = [Packet::in_place(&[1; 12], b"aad", &mut buffer)];
    key.seal_batch(&mut packets).unwrap();
    let tag = packets[0].tag().to_vec();
    let used = Err(OpenError::Input(InputError::PacketUsed));
    assert_eq!(key.seal_batch(&mut packets), used);
    assert_eq!(key.open_batch(&mut packets), used);
    assert_eq!(packets[0].tag(), tag);
    assert_eq!(packets[0].result(), Ok(()));
    assert_ne!(buffer, text);

    let mut packets = [Packet::in_place(&[1; 12], b"aad", &mut buffer).with_tag(&tag)];
    key.open_batch(&mut packets).unwrap();
    assert_eq!(key.open_batch(&mut packets), used);
    assert_eq!(packets[0].result(), Ok(()));
    assert_eq!(buffer, text);

    // A tag that comes too late changes nothing: neither the tag that was made nor why it was refused.
    let mut packets = [Packet::in_place(&[1; 12], b"", &mut buffer)];
    key.seal_batch(&mut packets).unwrap();
    let made = packets[0].tag().to_vec();
    let [sealed] = packets;
    assert_eq!(sealed.with_tag(&[9; 16]).tag(), made);
    let mut packets = [Packet::in_place(&[1; 12], b"", &mut buffer).with_tag(&[0; 15])];
    let refused = Err(OpenError::Input(InputError::Tag {
        got: 15,
        expected: 16,
    }));
    assert_eq!(key.open_batch(&mut packets), refused);
    let [packet] = packets;
    assert_eq!(packet.with_tag(&[0; 16]).result(), refused);
}
