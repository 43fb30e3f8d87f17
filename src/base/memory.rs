//! Memory for much at once, asked for before it is used.
//!
//! Work on records allocates in proportion to them, in many places. Where the system does not give the memory, an allocation in the
//! middle of the work would end the program without a word; so what the work needs is reserved beforehand and given back.

use super::Problem;
use super::units::MB;
use std::hint::black_box;

/// Fewer bytes than these are not worth asking for.
pub const LARGE: u64 = MB;

/// Refuses work that needs more bytes than the system gives.
///
/// # Errors
/// `room.full`.
pub fn room(bytes: u64) -> Result<(), Problem> {
    if bytes < LARGE {
        return Ok(());
    }
    let wanted = usize::try_from(bytes).unwrap_or(usize::MAX);
    let mut reserved: Vec<u8> = Vec::new();
    reserved.try_reserve_exact(wanted).map_err(|_| full(wanted))?;
    // A reservation that nobody looks at would be left out by the compiler.
    black_box(reserved.as_ptr());
    Ok(())
}

/// The problem of so many bytes that the system does not give.
pub fn full(bytes: usize) -> Problem {
    Problem::new("room.full").with("mebibytes", (bytes as u64).div_ceil(MB))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_machine_has_is_refused_with_its_size() {
        assert!(room(0).is_ok() && room(1 << 24).is_ok());
        let problem = room(u64::MAX).expect_err("no memory");
        assert_eq!((problem.code, problem.args["mebibytes"].as_str()), ("room.full", "17592186044416"));
        assert!(room(1 << 62).is_err());
    }
}
