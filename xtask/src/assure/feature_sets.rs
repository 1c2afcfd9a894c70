//! Sets of features that show each three of them in every state, on and off: a covering array of strength three.
//!
//! All pairs with everything else off would be three times as many sets, and show no feature that another two need or break.

/// A set of features, a bit for each.
pub(super) type Set = u32;

/// States of three features.
#[derive(Clone, Copy)]
struct Three {
    features: Set,
    on: Set,
}

impl Three {
    /// Whether a set has these states, as far as it is known.
    const fn is_in(self, set: Set, known: Set) -> bool {
        (set ^ self.on) & self.features & known == 0
    }
}

/// None of `count` features, all, each alone, and as many more sets as it takes.
pub(super) fn sets(count: u32) -> Vec<Set> {
    let all = (1 << count) - 1;
    let mut sets: Vec<Set> = [0, all].into_iter().chain(bits(all)).collect();
    sets.sort_unstable();
    sets.dedup();
    let mut missing = every_three(all);
    missing.retain(|three| !sets.iter().any(|set| three.is_in(*set, all)));
    while let Some(first) = missing.first() {
        let set = from(*first, all, &missing);
        missing.retain(|three| !three.is_in(set, all));
        sets.push(set);
    }
    sets
}

/// A set with these states, and each other feature in the state that shows more of what is missing.
fn from(first: Three, all: Set, missing: &[Three]) -> Set {
    let (mut set, mut known) = (first.on, first.features);
    for feature in bits(all & !known) {
        known |= feature;
        let shown = |set| {
            let shows = |three: &&Three| three.features & feature != 0 && three.is_in(set, known);
            missing.iter().filter(shows).count()
        };
        if shown(set | feature) > shown(set) {
            set |= feature;
        }
    }
    set
}

fn every_three(all: Set) -> Vec<Three> {
    let threes = (0..=all).filter(|set| set.count_ones() == 3);
    let states = |features| {
        let of_them = (0..=features).filter(move |on| on & !features == 0);
        of_them.map(move |on| Three { features, on })
    };
    threes.flat_map(states).collect()
}

/// Its features, each alone.
fn bits(set: Set) -> impl Iterator<Item = Set> {
    (0..Set::BITS)
        .map(|i| 1 << i)
        .filter(move |bit| set & bit != 0)
}

#[test]
fn each_three_is_in_every_state_in_few_sets() {
    for (count, most) in [(0, 1), (1, 2), (2, 4), (3, 8), (4, 16), (13, 32)] {
        let sets = sets(count);
        assert!(sets.len() <= most, "{count} features: {} sets", sets.len());
        for three in (0_u32..1 << count).filter(|set| set.count_ones() == 3) {
            let mut states: Vec<_> = sets.iter().map(|set| set & three).collect();
            states.sort_unstable();
            states.dedup();
            assert_eq!(states.len(), 8, "{three:b} of {count}");
        }
        let alone = bits((1 << count) - 1).all(|one| sets.contains(&one));
        assert!(alone && sets.contains(&0) && sets.contains(&((1 << count) - 1)));
    }
}
