//! Long work, which tells who loaded the module that it goes on.

use js_sys::Function;
use std::cell::{Cell, RefCell};
use wasm_bindgen::prelude::*;

/// Rows after which it is told: often enough for the slowest work, and seldom enough to cost nothing.
const EVERY: usize = 1 << 14;

thread_local! {
    static TELL: RefCell<Option<Function>> = const { RefCell::new(None) };
    static ROWS: Cell<usize> = const { Cell::new(0) };
}

/// Says who is told, within a call, that work goes on.
#[wasm_bindgen(js_name = setBeat)]
pub fn set_tick(tell: Function) {
    TELL.with_borrow_mut(|known| *known = Some(tell));
    rowscape::base::host::set_tick(tick);
}

fn tick(rows: usize) {
    let sum = ROWS.get() + rows;
    ROWS.set(if sum < EVERY { sum } else { 0 });
    if sum < EVERY {
        return;
    }
    if let Some(tell) = TELL.with_borrow(Clone::clone) {
        // It only listens.
        let _ = tell.call0(&JsValue::NULL);
    }
}
