#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| carryless_fuzz::control_recipient_slots(data));
