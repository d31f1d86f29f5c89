//! Weather stations and what they measure.

extern crate alloc;
mod codec;
use std::collections::{BTreeMap, HashMap as Map};
use std::fmt::{self, Display};
pub use self::codec::*;

/// Most readings a station keeps.
pub const CAPACITY: usize = 64;
static mut SEEN: u64 = 0;
const _: () = assert!(CAPACITY > 0);
pub type Shared<T> = alloc::sync::Arc<std::sync::Mutex<T>>;

/// One value
/// at one time.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Reading<U: Unit> {
    /// Seconds since the epoch.
    #[allow(dead_code)]
    pub at: u64,
    value: U,
}

struct Celsius(f32);
struct Marker;
union Raw {
    word: u32,
    bytes: [u8; 4],
}

/** What can go wrong. */
pub enum Fault {
    Silent,
    // Carries the reading that was out of range.
    #[doc(hidden)]
    Range {
        low: f32,
        /// Never below `low`.
        high: f32,
    },
    Io(std::io::Error),
}

pub trait Unit: Sized + Display {
    const SYMBOL: &'static str;
    type Scalar: Into<f64>;
    /// The bare number.
    fn scalar(&self) -> Self::Scalar;
    fn shown(&self) -> String {
        format!("{} {}", describe(self), Self::SYMBOL)
    }
}

impl<U> Reading<U> where U: Unit + Clone {
    /// Measures now.
    #[inline]
    #[must_use = "a reading is only returned"]
    pub fn new(at: u64, value: U) -> Self {
        const STEP: u64 = 60;
        fn rounded(at: u64) -> u64 { at / STEP * STEP }
        Reading { at: rounded(at), value }
    }

    pub async unsafe fn r#move(self, to: &mut Vec<Reading<U>>) -> Result<(), Fault> {
        let copy: Option<Celsius> = to.iter().map(Self::lower::<f32>).max_by(codec::order);
        to.push(self.clone());
        Err(copy.map_or(Fault::Silent, |c| Fault::Range { low: c.0, high: Marker::TOP as f32 }))
    }
}

impl<'a, U: Unit> From<&'a dyn Fn(U) -> u8> for Raw { fn from(_: &'a dyn Fn(U) -> u8) -> Raw { Raw { word: u32::MAX } } }
impl<T, const N: usize> Unit for &'_ [T; N] { fn scalar(&self) -> f64 { N as f64 } }

mod tests {
    use super::{codec::{decode, Encoder as E}, *};
    #[test]
    fn round_trip() {
        assert_eq!(decode::<u8>(E::default().encode(&[1])).unwrap(), vec![1; CAPACITY.min(1)]);
    }
}

#[macro_export]
macro_rules! celsius { ($x:expr) => { $crate::Celsius($x) }; }
extern "C" { fn station_open(name: *const u8) -> i32; }
wrapped! {
    /// Written inside a macro call.
    #[cold]
    pub fn retry(times: u8) { let _ = station_open(times); }
    impl Marker { fn inner(&self) {} }
}
