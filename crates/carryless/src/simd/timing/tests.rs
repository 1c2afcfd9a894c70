//! Guards begin and end, and let what began before them go on.

use std::println;

use super::{DataIndependentTiming, switch};

#[test]
fn a_guard_begins_and_ends_and_one_inside_another_does_neither() {
    let there = switch::is_there();
    assert!(!DataIndependentTiming::is_on());
    {
        let _outer = DataIndependentTiming::begin();
        assert_eq!(DataIndependentTiming::is_on(), there);
        drop(DataIndependentTiming::begin());
        assert_eq!(DataIndependentTiming::is_on(), there, "the outer one holds");
    }
    assert!(!DataIndependentTiming::is_on());
    println!(
        "data-independent timing: {}",
        if there { "switched" } else { "no switch" }
    );
}
