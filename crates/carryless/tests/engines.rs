//! The list of engines and the choice among them; a process of its own, since the choice is the
//! process's.
#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]

use std::sync::{Mutex, MutexGuard, PoisonError};

use carryless::error::{EngineError, KeyError, Unavailable};
use carryless::{Aes128Gcm, Aes256Gcm, Engine, Features, Gmac};

/// The choice and the environment belong to the whole process.
static PROCESS: Mutex<()> = Mutex::new(());

/// The portable engine that is chosen: that of the target's registers and multiplier.
const PORTABLE: &str = if cfg!(carryless_narrow) {
    "soft32:narrow"
} else if cfg!(any(target_pointer_width = "64", target_arch = "wasm32")) {
    "soft64"
} else {
    "soft32"
};

fn alone() -> MutexGuard<'static, ()> {
    PROCESS.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn names_are_stable_unique_and_lower_case() {
    let names: Vec<_> = Engine::ALL.iter().map(|engine| engine.name()).collect();
    #[cfg(target_arch = "x86_64")]
    assert_eq!(names[..4], ["vaes512", "vaes256", "avx", "aesni"]);
    #[cfg(target_arch = "aarch64")]
    assert_eq!(names[..3], ["armce3", "armce", "neon"]);
    assert_eq!(
        names[names.len() - 4..],
        ["soft64", "soft64:words", "soft32", "soft32:narrow"]
    );
    for (engine, name) in Engine::ALL.iter().zip(names) {
        assert_eq!(engine.to_string(), name);
        assert_eq!(
            format!("{engine:>14}"),
            format!("{name:>14}"),
            "padding is for tables"
        );
        assert!(!engine.description().is_empty());
    }
}

#[test]
fn what_is_available_passes_its_self_test_and_is_found_by_name() {
    let mut found = 0;
    for engine in Engine::available() {
        assert_eq!(engine.self_test(), Ok(()), "{engine}");
        assert_eq!(Engine::from_name(engine.name()), Ok(engine));
        assert_eq!(
            Aes256Gcm::with_engine(&[0; 32], engine).unwrap().engine(),
            engine
        );
        assert_eq!(
            Gmac::<carryless::Aes128>::with_engine(&[0; 16], engine)
                .unwrap()
                .engine(),
            engine
        );
        #[cfg(feature = "hazmat")]
        {
            use carryless::hazmat::{BlockCipher, Ghash};
            assert_eq!(
                Ghash::with_engine(&[0; 16], engine).unwrap().engine(),
                engine
            );
            assert_eq!(
                BlockCipher::<carryless::Aes192>::with_engine(&[0; 24], engine)
                    .unwrap()
                    .engine(),
                engine
            );
        }
        println!("{engine}: {}", engine.description());
        found += 1;
    }
    assert!(found >= 2, "portable code is there on every machine");
}

#[test]
fn what_is_not_available_says_why_everywhere() {
    for engine in Engine::ALL.iter().copied() {
        let Err(reason) = engine.availability() else {
            continue;
        };
        println!("{engine}: {reason}");
        assert_eq!(engine.self_test(), Err(reason));
        assert_eq!(engine.set_default(), Err(reason));
        assert_eq!(
            Engine::from_name(engine.name()),
            Err(EngineError::Unavailable(engine, reason))
        );
        assert_eq!(
            Aes128Gcm::with_engine(&[0; 16], engine).err(),
            Some(KeyError::Engine(reason))
        );
        let Unavailable::Missing(missing) = reason else {
            panic!("{engine}: {reason}")
        };
        assert!(
            missing
                .0
                .names()
                .all(|name| reason.to_string().contains(name)),
            "{reason}"
        );
    }
}

#[test]
fn an_unknown_name_is_refused_with_the_list_of_what_there_is() {
    for name in [
        "",
        "abacus",
        "AVX",
        "avx ",
        " avx",
        "soft",
        "soft64:",
        "auto",
        "avx\0",
        &"x".repeat(100_000),
    ] {
        let error = Engine::from_name(name).unwrap_err();
        assert_eq!(error, EngineError::Unknown);
        let text = error.to_string();
        let (head, list) = text.split_once(": ").expect("the list follows a colon");
        assert_eq!(
            head,
            "this build has no engine of that name; available here"
        );
        assert_eq!(
            list.split(' ').collect::<Vec<_>>(),
            Engine::available().map(Engine::name).collect::<Vec<_>>()
        );
    }
}

#[test]
fn the_automatic_choice_follows_the_features_of_the_cpu() {
    assert_eq!(Engine::automatic_on(Features::NONE).name(), PORTABLE);
    #[cfg(target_arch = "x86_64")]
    {
        let aesni = Features::AES
            .union(Features::PCLMULQDQ)
            .union(Features::SSSE3)
            .union(Features::SSE41);
        let avx = aesni.union(Features::AVX);
        let wide = avx
            .union(Features::AVX2)
            .union(Features::VAES)
            .union(Features::VPCLMULQDQ);
        let all = wide
            .union(Features::AVX512F)
            .union(Features::AVX512BW)
            .union(Features::AVX512VL)
            .union(Features::BMI2);
        assert_eq!(Engine::automatic_on(aesni).name(), "aesni");
        assert_eq!(Engine::automatic_on(avx).name(), "avx");
        assert_eq!(Engine::automatic_on(wide).name(), "vaes256");
        assert_eq!(Engine::automatic_on(all).name(), "vaes512");
        for feature in [
            Features::AES,
            Features::PCLMULQDQ,
            Features::SSSE3,
            Features::SSE41,
        ] {
            assert_eq!(
                Engine::automatic_on(all.without(feature)).name(),
                "soft64",
                "without {feature:?}"
            );
        }
        for feature in [Features::VAES, Features::VPCLMULQDQ, Features::AVX2] {
            assert_eq!(
                Engine::automatic_on(all.without(feature)).name(),
                "avx",
                "without {feature:?}"
            );
        }
        for feature in [
            Features::AVX512F,
            Features::AVX512BW,
            Features::AVX512VL,
            Features::BMI2,
        ] {
            assert_eq!(Engine::automatic_on(all.without(feature)).name(), "vaes256");
        }
        assert_eq!(
            Engine::automatic_on(all.without(Features::AVX)).name(),
            "aesni"
        );
        // Every set of features chooses something that it has.
        for bits in 0..=4095u32 {
            let names = [
                "ssse3",
                "sse4.1",
                "aes",
                "pclmulqdq",
                "avx",
                "avx2",
                "vaes",
                "vpclmulqdq",
                "avx512f",
                "avx512bw",
                "avx512vl",
                "bmi2",
            ];
            let chosen = names.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1);
            let cpu = chosen.fold(Features::NONE, |cpu, (_, name)| {
                cpu.union(Features::from_name(name).unwrap())
            });
            let expected = if cpu.require(all).is_ok() {
                "vaes512"
            } else if cpu.require(wide).is_ok() {
                "vaes256"
            } else if cpu.require(avx).is_ok() {
                "avx"
            } else if cpu.require(aesni).is_ok() {
                "aesni"
            } else {
                "soft64"
            };
            assert_eq!(Engine::automatic_on(cpu).name(), expected, "{cpu:?}");
        }
    }
}

#[test]
fn engines_that_are_chosen_by_name_only_are_never_chosen_automatically() {
    let by_name: Vec<_> = Engine::ALL
        .iter()
        .filter(|engine| !engine.is_automatic())
        .map(|engine| engine.name())
        .collect();
    let mut expected = vec!["soft64", "soft64:words", "soft32", "soft32:narrow"];
    expected.retain(|name| *name != PORTABLE);
    assert_eq!(by_name, expected);
    let _alone = alone();
    assert!(Engine::automatic_on(Features::detect()).is_automatic());
}

#[test]
fn the_default_can_be_set_and_old_keys_keep_theirs() {
    let _alone = alone();
    let automatic = Engine::automatic_on(Features::detect());
    let first = Aes128Gcm::from_slice(&[0; 16]).unwrap();
    assert_eq!(
        (Engine::selected(), first.engine()),
        (automatic, automatic),
        "nothing was set yet"
    );
    for engine in Engine::available() {
        engine.set_default().unwrap();
        assert_eq!(Engine::selected(), engine);
        assert_eq!(Aes128Gcm::from_slice(&[0; 16]).unwrap().engine(), engine);
        assert_eq!(first.engine(), automatic);
    }
    automatic.set_default().unwrap();
}

#[cfg(feature = "std")]
#[test]
fn the_environment_names_an_engine_for_those_who_ask() {
    const VARIABLE: &str = "CARRYLESS_ENGINE";
    const INNER: &str = "CARRYLESS_TEST_INNER";
    // Setting a variable is unsafe in a process with threads: each value has a process.
    if let Ok(expected) = std::env::var(INNER) {
        let shown = match Engine::from_env() {
            Ok(None) => "none".to_owned(),
            Ok(Some(engine)) => engine.name().to_owned(),
            Err(error) => format!("{error:?}"),
        };
        assert_eq!(shown, expected);
        return;
    }
    // On a foreign CPU the process runs under an emulator: its command line, in words.
    let runner = std::env::var("CARRYLESS_TEST_RUNNER").unwrap_or_default();
    let run = |value: Option<&std::ffi::OsStr>, expected: &str| {
        let program = std::env::current_exe().unwrap();
        let mut words = runner.split_whitespace().map(std::ffi::OsString::from);
        let first = words.next();
        let mut inner = std::process::Command::new(first.as_deref().unwrap_or(program.as_ref()));
        if first.is_some() {
            inner.args(words).arg(&program);
        }
        inner
            .args([
                "--exact",
                "the_environment_names_an_engine_for_those_who_ask",
            ])
            .env(INNER, expected)
            .env_remove(VARIABLE);
        if let Some(value) = value {
            inner.env(VARIABLE, value);
        }
        let output = inner.output().unwrap();
        assert!(
            output.status.success(),
            "{value:?}: {}",
            String::from_utf8_lossy(&output.stdout)
        );
    };
    run(None, "none");
    run(Some("auto".as_ref()), "none");
    for name in ["", "abacus", "AVX", "auto ", &"x".repeat(10_000)] {
        run(Some(name.as_ref()), "Unknown");
    }
    for engine in Engine::available() {
        run(Some(engine.name().as_ref()), engine.name());
    }
    #[cfg(unix)]
    run(
        Some(std::os::unix::ffi::OsStrExt::from_bytes(b"av\xff")),
        "Unknown",
    );
}

#[test]
fn features_are_sets() {
    let all = Features::detect();
    assert_eq!(all.without(all), Features::NONE);
    assert_eq!(all.union(Features::NONE), all);
    assert_eq!(all.require(all), Ok(()));
    for name in all.names() {
        let feature = Features::from_name(name).unwrap();
        assert_eq!(feature.names().collect::<Vec<_>>(), [name]);
        assert_eq!(all.without(feature).require(all).unwrap_err().0, feature);
        assert_eq!(
            all.without(feature).require(all).unwrap_err().to_string(),
            format!("this CPU lacks {name}")
        );
    }
    assert_eq!(Features::from_name("sse"), None);
    assert_eq!(Features::from_name(""), None);
}

/// Detection agrees with the standard library's, which has VAES even where the system does not
/// enable its registers, and BMI2 without AVX.
#[cfg(target_arch = "x86_64")]
#[test]
fn detection_agrees_with_the_standard_library() {
    let found = Features::detect();
    let (vex, wide) = (
        is_x86_feature_detected!("avx"),
        is_x86_feature_detected!("avx2"),
    );
    let std = [
        (Features::SSSE3, is_x86_feature_detected!("ssse3")),
        (Features::SSE41, is_x86_feature_detected!("sse4.1")),
        (Features::AES, is_x86_feature_detected!("aes")),
        (Features::PCLMULQDQ, is_x86_feature_detected!("pclmulqdq")),
        (Features::AVX, is_x86_feature_detected!("avx")),
        (Features::AVX2, is_x86_feature_detected!("avx2")),
        (Features::VAES, wide && is_x86_feature_detected!("vaes")),
        (
            Features::VPCLMULQDQ,
            wide && is_x86_feature_detected!("vpclmulqdq"),
        ),
        (Features::AVX512F, is_x86_feature_detected!("avx512f")),
        (Features::AVX512BW, is_x86_feature_detected!("avx512bw")),
        (Features::AVX512VL, is_x86_feature_detected!("avx512vl")),
        (Features::BMI2, vex && is_x86_feature_detected!("bmi2")),
    ];
    for (feature, present) in std {
        assert_eq!(found.require(feature).is_ok(), present, "{feature:?}");
    }
}

#[test]
fn u6_keys_and_errors_can_be_shared_between_threads() {
    const fn shared<T: Send + Sync>() {}
    const fn error<T: core::error::Error + Send + Sync + 'static>() {}
    const {
        shared::<Aes128Gcm>();
        shared::<Aes256Gcm>();
        shared::<carryless::Sealer<'_, carryless::Aes192>>();
        shared::<Gmac<carryless::Aes128>>();
        shared::<Engine>();
        error::<carryless::error::InputError>();
        error::<carryless::error::OpenError>();
        error::<carryless::error::KeyError>();
        error::<EngineError>();
        error::<Unavailable>();
        error::<carryless::error::RandomNonceError>();
        error::<carryless::error::Unauthentic>();
    }
}
