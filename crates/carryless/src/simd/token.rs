//! `cpu!`: a token, its probe and the macro that makes entry points for it, from one feature list,
//! so that the three cannot drift apart.

/// `cpu! { $ /// doc  Token, token_entry, LINES: "feature" FEATURE, .. }`
///
/// `LINES` times 64 bytes is what the frames of its entry points take at most, red zone included:
/// keys and text that did not fit into registers, overwritten after each call. An entry point that
/// takes less, or more, names its bytes. `cargo xtask asm` compares them with what the compiler made.
///
/// * `Token`: the zero-sized proof; `Token::detect()` makes one.
/// * `token_entry!`: turns `impl Trait { type Name = type; fn name(args) -> Result = kernel::path::<..>, BYTES; }` into
///   an `impl Trait for Token` whose methods call `kernel(token, args)` inside a function with the features enabled. The
///   kernel is named, not passed as a closure: one that is not inlined would lose the features.
macro_rules! cpu {
    ($d:tt $(#[$doc:meta])* $Token:ident, $entry:ident, $lines:literal: $($feature:literal $FEATURE:ident),+) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $Token(());

        const _: () = assert!(64 * $lines < $crate::simd::stack::FRAME, "`in_one_page!` makes room for less");

        impl $Token {
            /// The features whose presence a value proves.
            pub const FEATURES: $crate::simd::Features =
                $crate::simd::Features::NONE$(.union($crate::simd::Features::$FEATURE))+;

            /// A proof, if this CPU has the features.
            ///
            /// # Errors
            /// The features that are missing.
            pub fn detect() -> Result<Self, $crate::simd::Missing> {
                $crate::simd::Features::detect().require(Self::FEATURES).map(|()| Self::proven())
            }

            /// For callers that have a stronger proof in hand.
            #[inline(always)]
            pub(in crate::simd) const fn proven() -> Self {
                Self(())
            }

            /// Overwrites the frame of an entry point, with the widest stores of this CPU.
            #[inline(never)]
            #[target_feature($(enable = $feature),+)]
            pub(crate) fn burn<const FRAME: usize>() {
                $crate::secret::burn_frame::<FRAME>();
            }
        }

        /// Makes entry points of this token; see `cpu!`.
        #[allow(unused_macros, reason = "one for each token")]
        macro_rules! $entry {
            (impl $d Trait:path {
                $d(type $d Type:ident = $d type:ty;)*
                $d(fn $d name:ident($d($d arg:ident: $d ty:ty),* $d(,)?) $d(-> $d ret:ty)? = $d kernel:expr $d(, $d frame:expr)?;)*
            }) => {
                impl $d Trait for $crate::simd::native::$Token {
                    $d(type $d Type = $d type;)*
                    $d(#[inline(always)]
                    fn $d name(self, $d($d arg: $d ty),*) $d(-> $d ret)? {
                        // Its frame is overwritten, not that of a function into which it would be inlined.
                        #[inline(never)]
                        #[target_feature($(enable = $feature),+)]
                        fn entry(token: $crate::simd::native::$Token, $d($d arg: $d ty),*) $d(-> $d ret)? {
                            $d kernel(token, $d($d arg),*)
                        }
                        // SAFETY: `self` proves that this CPU has the features.
                        let given = unsafe { entry(self, $d($d arg),*) };
                        const FRAME: usize = [$d($d frame,)? 64 * $lines][0];
                        // SAFETY: as above.
                        unsafe { Self::burn::<FRAME>() };
                        given
                    })*
                }
            };
        }
        #[allow(unused_imports, reason = "one for each token")]
        pub(crate) use $entry;
    };
}

/// `order!("/* registers */", class, a, b, options)`: no instruction, but one that seems to change two registers of this class.
macro_rules! order {
    ($registers:literal, $class:ident, $a:ident, $b:ident $(, $option:ident)*) => {
        if cfg!(not(miri)) {
            // SAFETY: no instruction.
            unsafe {
                core::arch::asm!(
                    $registers,
                    inout($class) *$a,
                    inout($class) *$b,
                    options(nostack, preserves_flags $(, $option)*)
                );
            }
        }
    };
}

/// `of_one_lane!(V)`: what a token whose vectors `V` have one lane does with lanes, which is nothing.
macro_rules! of_one_lane {
    ($V:ty) => {
        #[inline(always)]
        fn narrow(self) -> Self {
            self
        }
        #[inline(always)]
        fn short(self) -> Self {
            self
        }
        #[inline(always)]
        fn insert(self, _: $V, _: usize, lane: $V) -> $V {
            lane
        }
        #[inline(always)]
        fn lane(self, v: $V, _: usize) -> $V {
            v
        }
        #[inline(always)]
        fn splice(self, low: $V, _: $V) -> $V {
            low
        }
        #[inline(always)]
        fn lane_numbers(self) -> $V {
            self.zero()
        }
        #[inline(always)]
        fn fold(self, v: $V) -> $V {
            v
        }
        #[inline(always)]
        fn widen(self, v: $V) -> $V {
            v
        }
        #[inline(always)]
        fn spread(self, v: $V) -> $V {
            v
        }
    };
}
