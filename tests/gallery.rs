//! The gallery: designs of published HBase practice, and the exact keys and split points each of them has to give.

#[path = "gallery/asked.rs"]
mod asked;
#[path = "gallery/binary.rs"]
mod binary;
#[path = "gallery/calls.rs"]
mod calls;
#[path = "gallery/good.rs"]
mod good;
#[path = "gallery/lists.rs"]
mod lists;
#[path = "gallery/logs.rs"]
mod logs;
#[path = "gallery/opened.rs"]
mod opened;
#[path = "gallery/orders.rs"]
mod orders;
#[path = "gallery/principles.rs"]
mod principles;
#[path = "gallery/salts.rs"]
mod salts;
#[path = "common/schema.rs"]
mod schema;
#[path = "gallery/splits.rs"]
mod splits;
#[path = "gallery/telemetry.rs"]
mod telemetry;
#[path = "gallery/weblog.rs"]
mod weblog;
#[path = "gallery/whole.rs"]
mod whole;
