//! A message opens if and only if the reference says so; what fails leaves zeros.

use crate::choices::{Choices, Placed};
use crate::harness::reference::Gcm;
use crate::harness::scheme::{Cuts, Input, Path, Refused, cut_subject};

/// See the module.
pub fn open_garbage(data: &[u8]) {
    let mut choices = Choices::new(data);
    let (engine, path) = (choices.engine(), choices.pick(Path::ALL));
    let tag_len = choices.pick(&[16, 4, 8, 12, 13, 14, 15]);
    let lens = [
        1 + choices.below(64),
        choices.below(300),
        choices.below(600),
    ];
    // Near misses: the right tag, but for these bits.
    let near = choices.byte() % 2 == 1;
    let key = choices.key();
    let mut tag = choices.content(tag_len);
    let [nonce, aad, text] = lens.map(|len| Placed::new(&choices.content(len), 0));

    let reference = Gcm::new(&key);
    let j0 = reference.j0(nonce.get());
    let right = &reference.tag(&j0, aad.get(), text.get())[..tag_len];
    if near {
        tag.iter_mut()
            .zip(right)
            .for_each(|(bits, right)| *bits ^= right);
    }
    let make = |path| {
        let scheme = cut_subject(engine, path, &key, tag_len, Cuts::default());
        scheme.filter(|scheme| scheme.takes_nonce(nonce.get().len()))
    };
    let scheme = make(path)
        .or_else(|| make(Path::Into))
        .expect("every length is there");
    let tag = Placed::new(&tag, 0);
    let mut out = Placed::filled(0xa5, text.get().len(), 0);
    let input = Input {
        nonce: nonce.get(),
        aad: aad.get(),
        text: text.get(),
    };
    let opened = scheme.open(input, tag.get(), out.get_mut());
    if tag.get() == right {
        assert_eq!(opened, Ok(()), "{scheme}: refused what is right");
        assert_eq!(
            out.get(),
            reference.ctr(&j0, text.get()),
            "{scheme}: wrong text"
        );
    } else {
        assert!(
            matches!(opened, Err(Refused::Unauthentic(_))),
            "{scheme}: {opened:?}"
        );
        assert!(
            out.get().iter().all(|byte| *byte == 0),
            "{scheme}: left after a forgery"
        );
    }
}
