//! Sets of features that show each three of them in every state in which cargo can build them, on and off: a covering array of
//! strength three.
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

/// None of the features, all, each alone with those that it implies, and as many more sets as it takes.
///
/// * `implied`: for each feature those that cargo turns on with it.
pub(super) fn sets(implied: &[Set]) -> Vec<Set> {
    let all = (0..implied.len()).fold(0, |set, i| set | 1 << i);
    let alone = bits(all).map(|feature| closed(feature, implied));
    let mut sets: Vec<Set> = [0, all].into_iter().chain(alone).collect();
    sets.sort_unstable();
    sets.dedup();
    let mut missing = every_three(all, implied);
    missing.retain(|three| !sets.iter().any(|set| three.is_in(*set, all)));
    while let Some(first) = missing.first() {
        let set = from(*first, all, implied, &missing);
        missing.retain(|three| !three.is_in(set, all));
        sets.push(set);
    }
    sets
}

/// A set with these states, and each other feature in the state that shows more of what is missing.
fn from(first: Three, all: Set, implied: &[Set], missing: &[Three]) -> Set {
    let mut set = closed(first.on, implied);
    let mut off = first.features & !first.on;
    for feature in bits(all) {
        if (set | off) & feature != 0 {
            continue;
        }
        let shown = |set: Set, off: Set| {
            let shows =
                |three: &&Three| three.features & feature != 0 && three.is_in(set, set | off);
            missing.iter().filter(shows).count()
        };
        let more = closed(set | feature, implied);
        if more & off == 0 && shown(more, off) > shown(set, off | feature) {
            set = more;
        } else {
            off |= feature;
        }
    }
    set
}

/// Those states of every three that some set has.
fn every_three(all: Set, implied: &[Set]) -> Vec<Three> {
    let threes = (0..=all).filter(|set| set.count_ones() == 3);
    let states = |features| {
        let of_them = (0..=features).filter(move |on| on & !features == 0);
        of_them.map(move |on| Three { features, on })
    };
    let can_be = |three: &Three| three.is_in(closed(three.on, implied), three.features);
    threes.flat_map(states).filter(can_be).collect()
}

/// The set with all that it implies.
fn closed(set: Set, implied: &[Set]) -> Set {
    let more = bits(set).fold(set, |more, feature| {
        more | implied[feature.trailing_zeros() as usize]
    });
    if more == set {
        set
    } else {
        closed(more, implied)
    }
}

/// Its features, each alone.
fn bits(set: Set) -> impl Iterator<Item = Set> {
    (0..Set::BITS)
        .map(|i| 1 << i)
        .filter(move |bit| set & bit != 0)
}

#[cfg(test)]
mod tests {
    use super::{Set, closed, sets};

    /// For each three features those states that any set has, which these must have: by all sets.
    fn shows_all(implied: &[Set], most: usize) {
        let found = sets(implied);
        assert!(found.len() <= most, "{implied:?}: {} sets", found.len());
        assert!(found.iter().all(|set| closed(*set, implied) == *set));
        let count = implied.len();
        let possible: Vec<Set> = (0..1 << count)
            .filter(|set| closed(*set, implied) == *set)
            .collect();
        let states = |three: Set, of: &[Set]| {
            let mut states: Vec<_> = of.iter().map(|set| set & three).collect();
            states.sort_unstable();
            states.dedup();
            states
        };
        for three in (0_u32..1 << count).filter(|set| set.count_ones() <= 3) {
            assert_eq!(states(three, &found), states(three, &possible), "{three:b}");
        }
    }

    #[test]
    fn each_three_is_in_every_state_in_few_sets() {
        for (count, most) in [(0, 1), (1, 2), (2, 4), (3, 8), (4, 16), (13, 32)] {
            shows_all(&vec![0; count], most);
        }
    }

    #[test]
    fn what_features_imply_leaves_no_state_out() {
        // The second implies the first, the third both, the last the fifth.
        let mut implied = vec![0; 13];
        (implied[1], implied[2], implied[12]) = (0b1, 0b10, 0b1_0000);
        shows_all(&implied, 40);
    }
}
