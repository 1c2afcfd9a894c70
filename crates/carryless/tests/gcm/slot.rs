//! Slots: what is in them after each call, and that what was in them is wiped where it was, in time.

use core::cell::RefCell;
use core::fmt::Debug;
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

use carryless::error::InputError;
use carryless::{Aes256Gcm, Slot};
use zeroize::ZeroizeOnDrop;

thread_local! {
    /// What became of keys, in order.
    static EVENTS: RefCell<Vec<Event>> = const { RefCell::new(Vec::new()) };
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Event {
    Made(u8),
    /// A key is wiped, and whether that happens within the slot.
    Wiped(u8, bool),
}

const REFUSED: InputError = InputError::Key {
    got: 7,
    expected: 16,
};

/// Stands for a key, and says where it is when it is dropped.
struct Watched {
    number: u8,
    /// The bytes of the slot, once it is there.
    slot: core::ops::Range<usize>,
}

impl Watched {
    fn made(number: u8) -> Result<Self, InputError> {
        note(Event::Made(number));
        Ok(Self { number, slot: 0..0 })
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let inside = self.slot.contains(&core::ptr::from_ref(self).addr());
        note(Event::Wiped(self.number, inside));
    }
}

impl ZeroizeOnDrop for Watched {}

fn note(event: Event) {
    EVENTS.with_borrow_mut(|events| events.push(event));
}

/// What happened since the last call.
fn events() -> Vec<Event> {
    EVENTS.take()
}

/// A slot with a key that knows where it is.
fn fill(slot: &mut Slot<Watched>, number: u8) {
    let start = core::ptr::from_ref(slot).addr();
    let end = start + size_of::<Slot<Watched>>();
    slot.fill(|| Watched::made(number)).unwrap().slot = start..end;
    assert_eq!(slot.get().map(|key| key.number), Some(number));
    assert_eq!(slot.get_mut().map(|key| key.number), Some(number));
}

fn expect<T: PartialEq + Debug>(what: &str, got: T, expected: T) {
    assert_eq!(got, expected, "{what}");
    println!("C7 slot: {what}");
}

#[test]
fn c7_a_slot_wipes_its_key_where_it_is_before_another_is_made() {
    use Event::{Made, Wiped};

    let mut slot = Slot::new();
    assert!(slot.get().is_none() && slot.get_mut().is_none());
    fill(&mut slot, 1);
    expect("filled", events(), vec![Made(1)]);
    fill(&mut slot, 2);
    expect("filled again", events(), vec![Wiped(1, true), Made(2)]);
    slot.clear();
    assert!(slot.get().is_none());
    expect("cleared", events(), vec![Wiped(2, true)]);
    slot.clear();
    expect("cleared twice", events(), vec![]);
    fill(&mut slot, 3);
    let failed = slot.fill(|| Err(REFUSED));
    assert!(failed.is_err_and(|error| error == REFUSED));
    assert!(slot.get().is_none() && slot.get_mut().is_none());
    expect("refused", events(), vec![Made(3), Wiped(3, true)]);
    fill(&mut slot, 4);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let _ = slot.fill(|| -> Result<Watched, InputError> { panic!("a generator that fails") });
    }));
    assert!(panicked.is_err() && slot.get().is_none());
    expect("panicked", events(), vec![Made(4), Wiped(4, true)]);
    {
        let mut scoped = Slot::new();
        fill(&mut scoped, 5);
    }
    expect("left", events(), vec![Made(5), Wiped(5, true)]);
}

/// A key that could not be replaced does not go on in its place.
#[test]
fn c7_a_slot_that_was_refused_a_key_seals_nothing() {
    let mut slot = Slot::<Aes256Gcm>::default();
    slot.fill(|| Aes256Gcm::from_slice(&[7; 32])).unwrap();
    assert!(slot.fill(|| Aes256Gcm::from_slice(&[8; 31])).is_err());
    assert!(slot.get().is_none());
    slot.fill(|| Aes256Gcm::from_slice(&[9; 32])).unwrap();
    let expected = Aes256Gcm::from_slice(&[9; 32]).unwrap();
    let key = slot.get().expect("it was filled");
    let sealed =
        [key, &expected].map(|key| key.seal_in_place(&[1; 12], b"", &mut [5; 40]).unwrap());
    assert_eq!(sealed[0], sealed[1]);
    println!("C7 slot: an AES-256 key replaced, and refused");
}
