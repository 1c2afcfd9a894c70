//! carryless in the peers benchmark: the automatic choice, and each engine that this machine runs.
//!
//! `measure.sh --crate crates/carryless --adapter bench/peer_carryless.rs`, see `bench/README.md`.
use crate::peer::*;
use carryless::{Aes128, Aes192, Aes256, Engine, Gcm};
use std::hint::black_box;

pub fn all() -> Vec<Box<dyn Peer>> {
    let mut peers: Vec<Box<dyn Peer>> = vec![Box::new(P(None))];
    for engine in Engine::available() {
        peers.push(Box::new(P(Some(engine))));
    }
    peers
}

/// `None`: the automatic choice.
struct P(Option<Engine>);

struct C<T>(T);

macro_rules! by_key {
    ($key:expr, $C:ident => $e:expr) => {
        match $key.len() {
            16 => {
                type $C = Aes128;
                $e
            }
            24 => {
                type $C = Aes192;
                $e
            }
            _ => {
                type $C = Aes256;
                $e
            }
        }
    };
}

impl P {
    fn engine(&self) -> Engine {
        self.0.unwrap_or_else(Engine::selected)
    }
}

impl Peer for P {
    fn name(&self) -> String {
        match self.0 {
            None => "carryless".into(),
            Some(engine) => format!("carryless-{engine}"),
        }
    }
    fn version(&self) -> String {
        format!("{}, engine {}", crate::lock_version("carryless"), self.engine())
    }
    fn supports(&self, _: u32) -> bool {
        true
    }
    fn ctx(&self, key: &[u8]) -> Box<dyn Ctx> {
        by_key!(key, A => Box::new(C(Gcm::<A>::with_engine(key, self.engine()).unwrap())))
    }
    fn key_setup(&self, key: &[u8]) {
        by_key!(key, A => { black_box(&Gcm::<A>::with_engine(key, self.engine()).unwrap()); })
    }
    fn oneshot(&self, key: &[u8], n: &[u8; 12], aad: &[u8], buf: &mut [u8], tag: &mut [u8; 16]) {
        by_key!(key, A => *tag = match self.0 {
            None => Gcm::<A>::seal_once(key, n, aad, buf).unwrap(),
            Some(engine) => Gcm::<A>::with_engine(key, engine).unwrap().seal_in_place(n, aad, buf).unwrap(),
        })
    }
}

/// Seals eight packets; each by its name, as text and tag are borrowed apart.
macro_rules! seal_eight {
    ($gcm:expr, $eight:ident: $($p:ident)*) => {
        let [$($p),*] = $eight;
        let mut ours = [$(carryless::Packet::in_place($p.nonce, $p.aad, $p.buf)),*];
        $gcm.seal_batch(&mut ours).unwrap();
        let tags = ours.iter().map(carryless::Packet::tag);
        for (to, tag) in [$(&mut *$p.tag),*].into_iter().zip(tags) {
            to.copy_from_slice(tag);
        }
    };
}

macro_rules! ctx {
    ($($A:ident)*) => {$(
        impl Ctx for C<Gcm<$A>> {
            fn seal(&mut self, n: &[u8; 12], aad: &[u8], buf: &mut [u8], tag: &mut [u8; 16]) {
                *tag = self.0.seal_in_place(n, aad, buf).unwrap();
            }
            fn open(&mut self, n: &[u8; 12], aad: &[u8], buf: &mut [u8], tag: &[u8; 16]) -> bool {
                self.0.open_in_place(n, aad, buf, tag).is_ok()
            }
            // In eights, as the benchmark has them; a program would keep its packets as ours.
            fn seal_batch(&mut self, packets: &mut [Packet<'_>]) {
                let (eights, rest) = packets.as_chunks_mut::<8>();
                for eight in eights {
                    seal_eight!(self.0, eight: a b c d e f g h);
                }
                for p in rest {
                    self.seal(p.nonce, p.aad, p.buf, p.tag);
                }
            }
            fn open_batch(&mut self, packets: &mut [Packet<'_>]) -> bool {
                let (eights, rest) = packets.as_chunks_mut::<8>();
                let mut ok = true;
                for eight in eights {
                    let mut ours = eight
                        .each_mut()
                        .map(|p| carryless::Packet::in_place(p.nonce, p.aad, p.buf).with_tag(&p.tag[..]));
                    ok &= self.0.open_batch(&mut ours).is_ok();
                }
                rest.iter_mut().fold(ok, |ok, p| self.open(p.nonce, p.aad, p.buf, p.tag) & ok)
            }
        }
    )*};
}
ctx! { Aes128 Aes192 Aes256 }
