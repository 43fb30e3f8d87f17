//! How much memory a program may have on Linux: files that the kernel writes.

use crate::base::units::KB;
use std::path::Path;

/// The smallest of the machine's memory, the limits of its control groups (v1 and v2) and `ulimit -v`; `None` where no file says.
/// `read` gives the text of a file.
pub fn memory(read: &dyn Fn(&str) -> Option<String>) -> Option<u64> {
    [of_machine(read), of_groups(read), of_process(read)].into_iter().flatten().min()
}

/// `MemTotal:       24056644 kB`
fn of_machine(read: &dyn Fn(&str) -> Option<String>) -> Option<u64> {
    let text = read("/proc/meminfo")?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    Some(number(line)?.saturating_mul(KB))
}

/// Bytes of address space that `ulimit -v` allows:
/// `Max address space         unlimited            unlimited            bytes`, of which the first is the limit that holds.
pub fn of_process(read: &dyn Fn(&str) -> Option<String>) -> Option<u64> {
    let text = read("/proc/self/limits")?;
    number(text.lines().find_map(|line| line.strip_prefix("Max address space"))?)
}

/// Each line of `/proc/self/cgroup` is `number:controllers:path`; v2 names no controllers. A group is bound by those around it, too.
fn of_groups(read: &dyn Fn(&str) -> Option<String>) -> Option<u64> {
    let text = read("/proc/self/cgroup").unwrap_or_default();
    let of_line = |line: &str| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "/memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => {
                ("/sys/fs/cgroup/memory", "/memory.limit_in_bytes")
            }
            _ => return None,
        };
        // Within a container the path may be that of the host: its own root is looked at in any case.
        let groups = Path::new(path).ancestors().filter_map(Path::to_str);
        let limits = groups.filter_map(|group| {
            let group = group.trim_end_matches('/');
            number(&read(&format!("{root}{group}{file}"))?)
        });
        limits.min()
    };
    text.lines().filter_map(of_line).min()
}

/// The number that a text begins with; `max` and `unlimited` are none.
fn number(text: &str) -> Option<u64> {
    text.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[(&str, &str)]) -> Option<u64> {
        memory(&|path| files.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned()))
    }

    const MACHINE: (&str, &str) = ("/proc/meminfo", "MemTotal:       24000000 kB\nMemFree: 1 kB\n");

    #[test]
    fn the_smallest_limit_that_holds_is_the_memory() {
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[MACHINE]), Some(24_000_000 * 1024));
        let v2 = ("/proc/self/cgroup", "0::/user.slice/job\n");
        assert_eq!(
            of(&[MACHINE, v2, ("/sys/fs/cgroup/user.slice/job/memory.max", "max\n")]),
            Some(24_000_000 * 1024)
        );
        assert_eq!(of(&[MACHINE, v2, ("/sys/fs/cgroup/user.slice/job/memory.max", "5000\n")]), Some(5000));
        // The group around it.
        assert_eq!(of(&[MACHINE, v2, ("/sys/fs/cgroup/user.slice/memory.max", "4000\n")]), Some(4000));
        // A container that sees the path of its host, and its own root.
        assert_eq!(of(&[MACHINE, v2, ("/sys/fs/cgroup/memory.max", "3000\n")]), Some(3000));
        let v1 = ("/proc/self/cgroup", "5:cpu,cpuacct:/\n4:memory:/docker/0a\n");
        let unlimited = ("/sys/fs/cgroup/memory/docker/0a/memory.limit_in_bytes", "9223372036854771712\n");
        assert_eq!(of(&[MACHINE, v1, unlimited]), Some(24_000_000 * 1024));
        assert_eq!(of(&[MACHINE, v1, ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "2000\n")]), Some(2000));
    }

    #[test]
    fn the_address_space_of_the_process_counts() {
        let limits = |first: &str| {
            format!(
                "Limit                     Soft Limit           Hard Limit           Units     \nMax address space         {first}            unlimited            bytes     \n"
            )
        };
        assert_eq!(of(&[MACHINE, ("/proc/self/limits", &limits("1048576000"))]), Some(1_048_576_000));
        assert_eq!(of(&[MACHINE, ("/proc/self/limits", &limits("unlimited"))]), Some(24_000_000 * 1024));
    }
}
