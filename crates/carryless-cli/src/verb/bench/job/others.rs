//! The calls of all algorithms, by the table of the vectors protocol.

use core::convert::Infallible;
use core::hint::black_box;

use carryless::Engine;
use carryless::hazmat::CounterWidth;

use super::{Case, Job, repeated};
use crate::args::Op;
use crate::exit::{Code, Failure};
use crate::vectors::{Family, Way};

const IV: [u8; 24] = [7; 24];
const BLOCK: [u8; 16] = [7; 16];
const TAG: usize = 16;

impl Case {
    fn iv(&self) -> &'static [u8] {
        &IV[..self.alg.iv_len()]
    }

    /// What opens or decrypts to a text; nothing of algorithms that have no such thing.
    pub(super) fn seal(
        &self,
        text: &[u8],
        sealed: &mut [u8],
        tag: &mut [u8; TAG],
    ) -> anyhow::Result<()> {
        let engine = Engine::selected();
        match &self.alg.family {
            Family::Aead(new) => {
                new(self.key(), TAG, engine)?.seal_into(self.iv(), &[], text, sealed, tag)?;
            }
            Family::Cipher(_, new) => new(self.key(), &BLOCK, CounterWidth::Bits128, engine)?
                .run_into(Way::Forth, text, sealed)?,
            Family::Mac(_) | Family::Hash(_) | Family::Part(_) => {}
        }
        Ok(())
    }

    /// The calls of an engine; [`Case::job`] has those of AES-GCM without a way through tables.
    pub(super) fn other_job(&self, engine: Engine) -> Result<Job, Failure> {
        let failed = |error| Failure::new(Code::Other, anyhow::anyhow!("{engine}: {error}"));
        let (key, iv) = (self.key(), self.iv());
        let mut tag = [0; TAG];
        Ok(match &self.alg.family {
            Family::Aead(new) => {
                let key = new(key, TAG, engine).map_err(failed)?;
                if self.op == Op::Open {
                    return Ok(repeated(move |m| {
                        key.open_into(
                            black_box(iv),
                            &[],
                            black_box(&m.sealed),
                            &mut m.text,
                            &m.tag,
                        )
                    }));
                }
                repeated(move |m| {
                    key.seal_into(
                        black_box(iv),
                        &[],
                        black_box(&m.text),
                        &mut m.sealed,
                        &mut tag,
                    )
                })
            }
            Family::Mac(new) => {
                let key = new(key, TAG, engine).map_err(failed)?;
                repeated(move |m| key.mac(black_box(iv), black_box(&m.text), &mut tag))
            }
            Family::Cipher(_, new) => {
                let mut key = new(key, &BLOCK, CounterWidth::Bits128, engine).map_err(failed)?;
                if self.op == Op::Decrypt {
                    return Ok(repeated(move |m| {
                        key.run_into(Way::Back, black_box(&m.sealed), &mut m.text)
                    }));
                }
                repeated(move |m| key.run_into(Way::Forth, black_box(&m.text), &mut m.sealed))
            }
            Family::Hash(new) => {
                let h = key.first_chunk().unwrap_or(&BLOCK);
                let key = new(h, engine).map_err(failed)?;
                repeated(move |m| Ok::<_, Infallible>(key.hash(&[black_box(&m.text)])))
            }
            Family::Part(_) => {
                let name = self.alg.name;
                return Err(Failure::usage(format!("{name} has no messages")));
            }
        })
    }
}
