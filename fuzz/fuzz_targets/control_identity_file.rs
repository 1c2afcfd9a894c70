#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| carryless_fuzz::control_identity_file(data));
