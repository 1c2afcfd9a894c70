//! What each way through the API calls; a macro, as the methods of a key are those of its cipher and length of tags.

/// Tags on every path. Of each length with a key size at least, which tags know nothing of: a build of all with each
/// takes minutes.
macro_rules! scheme {
    ($Cipher:ident $($tag:literal)+) => {$(
        impl Scheme for Subject<Gcm<carryless::$Cipher, 12, $tag>> {
            fn seal(&self, input: Input<'_>, out: &mut [u8]) -> Result<Tag, Refused> {
                type G = Gcm<carryless::$Cipher, 12, $tag>;
                let Input { nonce, aad, text } = input;
                let gcm = &self.gcm;
                let tag = match self.path {
                    Path::Into => gcm.seal_into(nonce, aad, text, out)?,
                    Path::InPlace | Path::Within => {
                        out.copy_from_slice(text);
                        gcm.seal_in_place(nonce, aad, out)?
                    }
                    Path::Stream | Path::StreamInPlace => {
                        let mut sealer = gcm.sealer(nonce)?;
                        for piece in pieces(&self.cuts.aad, aad.len()) {
                            sealer.aad(&aad[piece])?;
                        }
                        if self.path == Path::StreamInPlace {
                            out.copy_from_slice(text);
                        }
                        for piece in pieces(&self.cuts.text, text.len()) {
                            if self.path == Path::Stream {
                                sealer.seal_into(&text[piece.clone()], &mut out[piece])?;
                            } else {
                                sealer.seal_in_place(&mut out[piece])?;
                            }
                        }
                        sealer.finish()
                    }
                    Path::Scatter => {
                        let list: Vec<&[u8]> = pieces(&self.cuts.text, text.len())
                            .map(|piece| &text[piece])
                            .collect();
                        gcm.seal_scatter(nonce, aad, &list, out)?
                    }
                    Path::Segments => {
                        let message = gcm.segments(nonce.try_into().expect("12 bytes"));
                        if out.len() != text.len() {
                            message.seal_into(0, text, out)?;
                        }
                        let mut parts = vec![];
                        for piece in segments(&self.cuts.text, text.len()).into_iter().rev() {
                            let (at, from) = (piece.start as u64, &text[piece.clone()]);
                            parts.insert(0, message.seal_into(at, from, &mut out[piece])?);
                        }
                        // Some merged, some not.
                        if let [first, second, rest @ ..] = &parts[..] {
                            let merged = message.merge(first, second)?;
                            parts = [&[merged], rest].concat();
                        }
                        message.finish(aad, &parts)?
                    }
                    Path::Batch => {
                        let [mut before, mut behind, mut last] = neighbours(text);
                        let mut packets = [
                            Packet::in_place(&[0; 12], b"", &mut before),
                            Packet::between(nonce.try_into().expect("12 bytes"), aad, text, out)?,
                            Packet::in_place(&[1; 12], b"behind", &mut behind),
                            Packet::in_place(&[2; 12], b"", &mut last),
                        ];
                        gcm.seal_batch(&mut packets).map_err(Refused::from)?;
                        return Ok(Tag::new(packets[1].tag()));
                    }
                    Path::BatchKeyed => {
                        let [mut before, mut behind, mut last] = neighbours(text);
                        let mut packets = [
                            Packet::in_place(&[0; 12], b"", &mut before),
                            Packet::in_place(&[1; 12], b"behind", &mut behind),
                            Packet::in_place(&[2; 12], b"", &mut last),
                            Packet::between(nonce.try_into().expect("12 bytes"), aad, text, out)?,
                        ];
                        G::seal_batch_keyed(&[gcm; 4], &mut packets).map_err(Refused::from)?;
                        return Ok(Tag::new(packets[3].tag()));
                    }
                    #[cfg(feature = "rayon")]
                    Path::Parallel => {
                        gcm.seal_parallel_into(nonce.try_into().expect("12 bytes"), aad, text, out, 2)?
                    }
                    #[cfg(feature = "rayon")]
                    Path::ParallelInPlace => {
                        out.copy_from_slice(text);
                        gcm.seal_parallel_in_place(nonce.try_into().expect("12 bytes"), aad, out, 3)?
                    }
                    Path::Once => {
                        let nonce = nonce.try_into().expect("12 bytes");
                        with_default(self.engine, || {
                            G::seal_once_into(&self.key, nonce, aad, text, out)
                        })?
                    }
                    Path::OnceInPlace => {
                        let nonce = nonce.try_into().expect("12 bytes");
                        out.copy_from_slice(text);
                        with_default(self.engine, || G::seal_once(&self.key, nonce, aad, out))?
                    }
                    #[cfg(feature = "aead")]
                    Path::Traits | Path::TraitsInPlace => {
                        use carryless::AeadInOut as _;
                        let nonce = nonce.try_into().expect("12 bytes");
                        let text = if self.path == Path::Traits {
                            carryless::aead::inout::InOutBuf::new(text, out).expect("equal lengths")
                        } else {
                            out.copy_from_slice(text);
                            out.into()
                        };
                        return Ok(Tag::new(&gcm.encrypt_inout_detached(nonce, aad, text)?));
                    }
                };
                Ok(Tag::new(&tag))
            }

            fn open(&self, input: Input<'_>, tag: &[u8], out: &mut [u8]) -> Result<(), Refused> {
                type G = Gcm<carryless::$Cipher, 12, $tag>;
                let Input { nonce, aad, text } = input;
                let gcm = &self.gcm;
                match self.path {
                    Path::Into | Path::Scatter => gcm.open_into(nonce, aad, text, out, tag)?,
                    Path::InPlace => {
                        out.copy_from_slice(text);
                        gcm.open_in_place(nonce, aad, out, tag)?;
                    }
                    Path::Within => {
                        return within(text, out, |buffer, range, to| {
                            gcm.open_within(nonce, aad, buffer, range, to, tag)
                                .map(|opened| opened.len())
                        });
                    }
                    #[cfg(feature = "hazmat")]
                    Path::Stream | Path::StreamInPlace => {
                        let mut opener = gcm.opener(nonce)?;
                        for piece in pieces(&self.cuts.aad, aad.len()) {
                            opener.aad(&aad[piece])?;
                        }
                        if self.path == Path::StreamInPlace {
                            out.copy_from_slice(text);
                        }
                        for piece in pieces(&self.cuts.text, text.len()) {
                            if self.path == Path::Stream {
                                opener.open_into(&text[piece.clone()], &mut out[piece])?;
                            } else {
                                opener.open_in_place(&mut out[piece])?;
                            }
                        }
                        // Whoever opens piece by piece throws away what was not authentic.
                        opener.finish(tag).inspect_err(|_| out.fill(0))?;
                    }
                    #[cfg(not(feature = "hazmat"))]
                    Path::Stream | Path::StreamInPlace => {
                        gcm.open_into(nonce, aad, text, out, tag)?
                    }
                    Path::Segments => {
                        let message = gcm.segments(nonce.try_into().expect("12 bytes"));
                        if out.len() != text.len() {
                            let wrong = message.seal_into(0, text, out);
                            return Ok(wrong.map(drop)?);
                        }
                        let pieces = segments(&self.cuts.text, text.len());
                        let parts = pieces.iter().map(|piece| {
                            message.authenticate(piece.start as u64, &text[piece.clone()])
                        });
                        let parts = parts.collect::<Result<Vec<_>, _>>()?;
                        let verified = message.verify(aad, &parts, tag);
                        // Nothing was written to the output, which the checks want to see wiped.
                        let verified = verified.inspect_err(|error| {
                            if matches!(error, OpenError::Unauthentic(_)) {
                                out.fill(0);
                            }
                        })?;
                        for piece in pieces {
                            let (at, from) = (piece.start as u64, &text[piece.clone()]);
                            verified.open_into(at, from, &mut out[piece])?;
                        }
                    }
                    Path::Batch => {
                        // The neighbours fail: that is their affair.
                        let [mut before, mut behind, mut last] = neighbours(text);
                        let nonce = nonce.try_into().expect("12 bytes");
                        let mut packets = [
                            Packet::in_place(&[0; 12], b"", &mut before).with_tag(&[0; $tag]),
                            Packet::between(nonce, aad, text, out)?.with_tag(tag),
                            Packet::in_place(&[1; 12], b"behind", &mut behind).with_tag(&[0; $tag]),
                            Packet::in_place(&[2; 12], b"", &mut last).with_tag(&[0; $tag]),
                        ];
                        assert!(gcm.open_batch(&mut packets).is_err());
                        return Ok(packets[1].result()?);
                    }
                    Path::BatchKeyed => {
                        let [mut before, mut behind, mut last] = neighbours(text);
                        let nonce = nonce.try_into().expect("12 bytes");
                        let mut packets = [
                            Packet::in_place(&[0; 12], b"", &mut before).with_tag(&[0; $tag]),
                            Packet::in_place(&[1; 12], b"behind", &mut behind).with_tag(&[0; $tag]),
                            Packet::in_place(&[2; 12], b"", &mut last).with_tag(&[0; $tag]),
                            Packet::between(nonce, aad, text, out)?.with_tag(tag),
                        ];
                        assert!(G::open_batch_keyed(&[gcm; 4], &mut packets).is_err());
                        return Ok(packets[3].result()?);
                    }
                    #[cfg(feature = "rayon")]
                    Path::Parallel => {
                        let nonce = nonce.try_into().expect("12 bytes");
                        gcm.open_parallel_into(nonce, aad, text, out, tag, 2)?;
                    }
                    #[cfg(feature = "rayon")]
                    Path::ParallelInPlace => {
                        out.copy_from_slice(text);
                        let nonce = nonce.try_into().expect("12 bytes");
                        gcm.open_parallel_in_place(nonce, aad, out, tag, 3)?;
                    }
                    Path::Once => {
                        let nonce = nonce.try_into().expect("12 bytes");
                        with_default(self.engine, || {
                            G::open_once_into(&self.key, nonce, aad, text, out, tag)
                        })?;
                    }
                    Path::OnceInPlace => {
                        let nonce = nonce.try_into().expect("12 bytes");
                        out.copy_from_slice(text);
                        with_default(self.engine, || {
                            G::open_once(&self.key, nonce, aad, out, tag)
                        })?;
                    }
                    #[cfg(feature = "aead")]
                    Path::Traits | Path::TraitsInPlace => {
                        use carryless::AeadInOut as _;
                        let nonce = nonce.try_into().expect("12 bytes");
                        let text = if self.path == Path::Traits {
                            carryless::aead::inout::InOutBuf::new(text, out).expect("equal lengths")
                        } else {
                            out.copy_from_slice(text);
                            out.into()
                        };
                        let tag = tag.try_into().map_err(|_| InputError::Tag {
                            got: tag.len(),
                            expected: $tag,
                        })?;
                        gcm.decrypt_inout_detached(nonce, aad, text, tag)?;
                    }
                }
                Ok(())
            }

            fn takes_nonce(&self, len: usize) -> bool {
                len == 12
                    || matches!(
                        self.path,
                        Path::Into
                            | Path::InPlace
                            | Path::Within
                            | Path::Stream
                            | Path::StreamInPlace
                            | Path::Scatter
                    )
            }
        }
    )+};
}
pub(super) use scheme;

/// Tags on the paths that differ in more than their buffers.
macro_rules! short_scheme {
    ($Cipher:ident $($tag:literal)+) => {$(
        impl Scheme for Subject<Gcm<carryless::$Cipher, 12, $tag>> {
            fn seal(&self, input: Input<'_>, out: &mut [u8]) -> Result<Tag, Refused> {
                let Input { nonce, aad, text } = input;
                Ok(Tag::new(&match self.path {
                    Path::Into => self.gcm.seal_into(nonce, aad, text, out)?,
                    Path::InPlace => {
                        out.copy_from_slice(text);
                        self.gcm.seal_in_place(nonce, aad, out)?
                    }
                    _ => {
                        let nonce = nonce.try_into().expect("12 bytes");
                        with_default(self.engine, || {
                            Gcm::<carryless::$Cipher, 12, $tag>::seal_once_into(&self.key, nonce, aad, text, out)
                        })?
                    }
                }))
            }

            fn open(&self, input: Input<'_>, tag: &[u8], out: &mut [u8]) -> Result<(), Refused> {
                let Input { nonce, aad, text } = input;
                match self.path {
                    Path::Into => self.gcm.open_into(nonce, aad, text, out, tag)?,
                    Path::InPlace => {
                        out.copy_from_slice(text);
                        self.gcm.open_in_place(nonce, aad, out, tag)?;
                    }
                    _ => {
                        let nonce = nonce.try_into().expect("12 bytes");
                        with_default(self.engine, || {
                            Gcm::<carryless::$Cipher, 12, $tag>::open_once_into(&self.key, nonce, aad, text, out, tag)
                        })?;
                    }
                }
                Ok(())
            }

            fn takes_nonce(&self, len: usize) -> bool {
                len == 12 || self.path != Path::Once
            }
        }
    )+};
}
pub(super) use short_scheme;
