#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| carryless_fuzz::recipient_slots(data));
