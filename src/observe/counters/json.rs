//! Dumps that are JSON: the REST gateway, the master's API, and the metrics of a region server.

use super::history::{DumpTime, Figures, History, NOWHERE, Origin, ServerSeen};
use super::names::{RegionName, metric_name};
use super::when::CLOCK;
use crate::bytes::from_base64;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

const MIB: u64 = 1 << 20;

/// A number that some dumps write as a fraction or as text.
#[derive(Clone, Copy, Default)]
struct Count(u64);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Count;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a number")
            }
            fn visit_u64<E: de::Error>(self, count: u64) -> Result<Count, E> {
                Ok(Count(count))
            }
            fn visit_i64<E: de::Error>(self, count: i64) -> Result<Count, E> {
                Ok(Count(u64::try_from(count).unwrap_or_default()))
            }
            fn visit_f64<E: de::Error>(self, count: f64) -> Result<Count, E> {
                Ok(Count(count as u64))
            }
            fn visit_str<E: de::Error>(self, count: &str) -> Result<Count, E> {
                Ok(Count(count.parse().unwrap_or_default()))
            }
            fn visit_unit<E: de::Error>(self) -> Result<Count, E> {
                Ok(Count(0))
            }
        }
        from.deserialize_any(Any)
    }
}

/// Any of the documents, by the members that it has.
#[derive(Deserialize)]
struct AnyDump<'a> {
    #[serde(rename = "LiveNodes", borrow, default)]
    nodes: Option<Vec<RestNode<'a>>>,
    #[serde(borrow, default)]
    data: Option<&'a RawValue>,
    #[serde(borrow, default)]
    beans: Option<Vec<Bean<'a>>>,
}

/// A region server by the REST gateway.
#[derive(Deserialize)]
struct RestNode<'a> {
    #[serde(borrow, default)]
    name: Cow<'a, str>,
    #[serde(rename = "startCode", default)]
    started: Count,
    #[serde(rename = "Region", borrow, default)]
    regions: Vec<RestRegion<'a>>,
}

#[derive(Deserialize)]
struct RestRegion<'a> {
    /// In Base64.
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(rename = "readRequestsCount", default)]
    reads: Count,
    #[serde(rename = "writeRequestsCount", default)]
    writes: Count,
    #[serde(rename = "storefileSizeMB", default)]
    megabytes: Count,
}

/// A region server by the master's `live_servers`.
#[derive(Deserialize)]
struct ApiServer<'a> {
    #[serde(borrow)]
    server_name: ApiName<'a>,
    #[serde(default)]
    report_timestamp: Count,
    #[serde(borrow)]
    region_status: HashMap<Cow<'a, str>, ApiRegion>,
}

#[derive(Deserialize)]
struct ApiName<'a> {
    #[serde(borrow)]
    server_name: Cow<'a, str>,
}

#[derive(Deserialize)]
struct ApiRegion {
    #[serde(rename = "read_request_count", default)]
    reads: Count,
    #[serde(rename = "write_request_count", default)]
    writes: Count,
    #[serde(rename = "store_file_size", default)]
    bytes: Count,
}

/// Metrics of a region server.
#[derive(Default)]
struct Bean<'a> {
    server: Option<Cow<'a, str>>,
    metrics: MetricFigures,
}

/// Figures of regions by their encoded names, and a time.
#[derive(Debug, Default)]
pub struct MetricFigures {
    /// Table, figures.
    regions: HashMap<String, (String, Figures)>,
    /// Timestamp of the dump; `None` if no metric has it.
    time: Option<i64>,
}

/// Ages above this are the time itself: the age of what never happened.
const NEVER: u64 = 1_000_000_000_000;

impl MetricFigures {
    /// Notes a metric, by its name in JMX or for Prometheus. False for one that is of no region.
    pub fn add(&mut self, name: &str, value: u64) -> bool {
        let Some((table, encoded, metric)) = metric_name(name) else { return false };
        let place = match metric {
            "readRequestCount" | "read_request_count" => 0,
            "writeRequestCount" | "write_request_count" => 1,
            "storeFileSize" | "store_file_size" => 2,
            "lastMajorCompactionAge" | "last_major_compaction_age" => {
                if value >= NEVER {
                    self.time = i64::try_from(value).ok().filter(|time| CLOCK.contains(time));
                }
                return true;
            }
            _ => return true,
        };
        if !self.regions.contains_key(encoded) {
            self.regions.insert(encoded.to_owned(), (table, Figures::default()));
        }
        let Some((_, figures)) = self.regions.get_mut(encoded) else { return true };
        match place {
            0 => figures.reads = value,
            1 => figures.writes = value,
            _ => figures.size = Some(value),
        }
        true
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.regions.is_empty()
    }

    /// Notes all of them as a dump of one server.
    pub fn end(self, history: &mut History, time: DumpTime, server: Option<&str>) {
        let server = server.map_or(NOWHERE, |server| history.server(ServerSeen::read(server)));
        let dump = history.dump(self.time.map_or(time, DumpTime::by_dump), Origin::Server, None);
        for (encoded, (table, figures)) in self.regions {
            if let Some(region) = history.of_encoded(&encoded, &table) {
                history.add(region, dump, server, figures);
            }
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Bean<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Bean<'de>;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("metrics")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Bean<'de>, A::Error> {
                let mut bean = Bean::default();
                while let Some(name) = members.next_key::<Cow<'de, str>>()? {
                    if name == "tag.serverName" {
                        bean.server = Some(members.next_value()?);
                    } else if metric_name(&name).is_some() {
                        let Count(value) = members.next_value()?;
                        bean.metrics.add(&name, value);
                    } else {
                        members.next_value::<IgnoredAny>()?;
                    }
                }
                Ok(bean)
            }
        }
        from.deserialize_map(Members)
    }
}

/// Kinds of documents.
pub enum JsonDump {
    /// Counters, by the name of their source.
    Counters(&'static str),
    /// A dump of these programs, without counters of regions.
    Other,
    /// None that is known.
    Unknown,
}

/// Reads a document. `time`: timestamp of a document without one.
pub fn read(text: &str, time: DumpTime, history: &mut History) -> JsonDump {
    let Ok(found) = serde_json::from_str::<AnyDump<'_>>(text) else { return JsonDump::Unknown };
    if let Some(nodes) = found.nodes {
        rest(nodes, time, history);
        return JsonDump::Counters("rest");
    }
    if let Some(beans) = found.beans {
        return metrics(beans, time, history);
    }
    let Some(data) = found.data else { return JsonDump::Unknown };
    match serde_json::from_str::<Vec<ApiServer<'_>>>(data.get()) {
        Ok(servers) => {
            live_servers(servers, time, history);
            JsonDump::Counters("api")
        }
        Err(_) => JsonDump::Other,
    }
}

fn rest(nodes: Vec<RestNode<'_>>, time: DumpTime, history: &mut History) {
    let whole = history.whole();
    let dump = history.dump(time, Origin::Master, whole);
    for node in nodes {
        let server = history.server(ServerSeen { address: node.name.into_owned(), started: node.started.0 });
        for region in node.regions {
            let read = |name: &str| RegionName::read(&from_base64(name)?);
            let Some(number) = history.named(&region.name, read) else { continue };
            let size = Some(region.megabytes.0.saturating_mul(MIB));
            let figures = Figures { reads: region.reads.0, writes: region.writes.0, size };
            history.add(number, dump, server, figures);
        }
    }
}

fn live_servers(servers: Vec<ApiServer<'_>>, time: DumpTime, history: &mut History) {
    let whole = history.whole();
    for one in servers {
        let server = history.server(ServerSeen::read(&one.server_name.server_name));
        let told = i64::try_from(one.report_timestamp.0).ok().filter(|told| CLOCK.contains(told));
        // Each server has a time of its own, and so a dump of its own.
        let dump = history.dump(told.map_or(time, DumpTime::by_dump), Origin::Master, whole);
        for (name, region) in one.region_status {
            let Some(number) = history.named(&name, |name| RegionName::read(name.as_bytes())) else {
                continue;
            };
            let figures =
                Figures { reads: region.reads.0, writes: region.writes.0, size: Some(region.bytes.0) };
            history.add(number, dump, server, figures);
        }
    }
}

fn metrics(beans: Vec<Bean<'_>>, time: DumpTime, history: &mut History) -> JsonDump {
    let server = beans.iter().find_map(|bean| bean.server.clone());
    let mut is_read = false;
    for bean in beans.into_iter().filter(|bean| !bean.metrics.is_empty()) {
        is_read = true;
        bean.metrics.end(history, time, server.as_deref());
    }
    if is_read { JsonDump::Counters("jmx") } else { JsonDump::Other }
}
