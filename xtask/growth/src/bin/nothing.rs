//! A program without carryless.

fn main() {
    growth::small_program(|_, _| Some(()));
}
