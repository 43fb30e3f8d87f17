//! Designs that no other beats in everything, and the few of them that stand for all.

/// How designs are held against each other: less is better in each.
pub(super) type Objectives = [f64; 3];

/// Differences below this part are none.
const SAME: f64 = 1e-6;

/// How much worse a simpler design may be in the product.
const NEARLY: f64 = 1.05;
/// Scores that differ by less of themselves are ties.
pub(super) const TIE: f64 = 0.02;

/// True if `a` is nowhere worse than `b`, and somewhere better.
pub(super) fn dominates(a: &Objectives, b: &Objectives) -> bool {
    let pairs = || a.iter().zip(b);
    pairs().all(|(a, b)| *a <= b * (1.0 + SAME)) && pairs().any(|(a, b)| *a < b * (1.0 - SAME))
}

fn same(a: &Objectives, b: &Objectives) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= SAME * b.abs())
}

/// The places of those that nothing dominates; of equals the first.
pub(super) fn front(all: &[Objectives]) -> Vec<usize> {
    let mut order: Vec<(&Objectives, usize)> = all.iter().zip(0..).collect();
    let compare = |(a, at): &(&Objectives, usize), (b, other): &(&Objectives, usize)| {
        let unlike = a.iter().zip(b.iter()).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
        unlike.unwrap_or_else(|| at.cmp(other))
    };
    order.sort_unstable_by(compare);
    // Whatever beats a point comes before it, but for differences that are none.
    let mut kept: Vec<(&Objectives, usize)> = Vec::new();
    for (own, at) in order {
        if !kept.iter().any(|(of, _)| dominates(of, own) || same(of, own)) {
            kept.push((own, at));
        }
    }
    let beaten = |own: &Objectives| kept.iter().any(|(of, _)| dominates(of, own));
    let mut places: Vec<usize> = kept.iter().filter(|(own, _)| !beaten(own)).map(|&(_, at)| at).collect();
    places.sort_unstable();
    places
}

/// The places of at most `most`, front after front: first those that nothing dominates, then those that only these do.
pub(super) fn layers(all: &[Objectives], most: usize) -> Vec<usize> {
    let mut left: Vec<usize> = (0..all.len()).collect();
    let mut kept = Vec::new();
    while kept.len() < most && !left.is_empty() {
        let of: Vec<Objectives> = left.iter().filter_map(|&at| all.get(at).copied()).collect();
        let first = front(&of);
        let room = most - kept.len();
        let chosen = if first.len() > room { spread_out(&of, &first, room) } else { first };
        let chosen: Vec<usize> = chosen.iter().filter_map(|&at| left.get(at).copied()).collect();
        left.retain(|at| !chosen.contains(at));
        kept.extend(chosen);
    }
    kept
}

/// The factor by which `front` beats `own` where it beats it most.
pub(super) fn factor(own: &Objectives, front: &Objectives) -> f64 {
    own.iter().zip(front).map(|(own, front)| own / front.max(f64::MIN_POSITIVE)).fold(1.0, f64::max)
}

/// True if a design is no worse in anything and better in something by more than a tie.
pub(super) fn beats(other: &Objectives, own: &Objectives) -> bool {
    let pairs = || own.iter().zip(other);
    pairs().all(|(own, other)| *other <= own * (1.0 + SAME)) && factor(own, other) > 1.0 + TIE
}

/// The worst factor by which one of `points` beats the nearest of the chosen.
pub(super) fn cover(all: &[Objectives], points: &[usize], chosen: &[usize]) -> f64 {
    let nearest = |point: &usize| {
        let Some(point) = all.get(*point) else { return 1.0 };
        let of = chosen.iter().filter_map(|&at| all.get(at)).map(|own| factor(own, point));
        of.fold(f64::INFINITY, f64::min)
    };
    points.iter().map(nearest).fold(1.0, f64::max)
}

/// The product of the objectives, each against the least there is, with weights as whole powers.
fn product(own: &Objectives, least: &Objectives, powers: [i32; 3]) -> f64 {
    own.iter().zip(least).zip(powers).map(|((own, least), power)| (own / least).powi(power)).product()
}

/// The place of the one with the least product.
pub(super) fn best_by(all: &[Objectives], points: &[usize], powers: [i32; 3]) -> Option<usize> {
    let least = least(all, points);
    let product = |at: usize| all.get(at).map_or(f64::INFINITY, |own| product(own, &least, powers));
    points.iter().copied().reduce(|best, at| if product(at) < product(best) { at } else { best })
}

/// The place of the simplest of those whose product is nearly the least.
pub(super) fn simplest_by(
    all: &[Objectives],
    points: &[usize],
    powers: [i32; 3],
    steps: impl Fn(usize) -> usize,
) -> Option<usize> {
    let best = best_by(all, points, powers)?;
    let least = least(all, points);
    let product = |at: usize| all.get(at).map_or(f64::INFINITY, |own| product(own, &least, powers));
    let near = points.iter().copied().filter(|&at| product(at) <= product(best) * NEARLY);
    near.min_by(|&a, &b| steps(a).cmp(&steps(b)).then(product(a).total_cmp(&product(b))))
}

fn least(all: &[Objectives], points: &[usize]) -> Objectives {
    let mut least = [f64::INFINITY; 3];
    for of in points.iter().filter_map(|&at| all.get(at)) {
        least.iter_mut().zip(of).for_each(|(least, of)| *least = least.min(*of));
    }
    least
}

/// At most `most` of some places, each time the one farthest from those chosen.
fn spread_out(all: &[Objectives], points: &[usize], most: usize) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    for powers in [[1, 1, 1], [64, 1, 1], [1, 64, 1], [1, 1, 64]] {
        chosen.extend(best_by(all, points, powers).filter(|at| !chosen.contains(at)));
    }
    chosen.truncate(most);
    add_farthest(all, points, &mut chosen, most);
    chosen
}

/// Adds the point farthest from the chosen, until there are enough or none is far.
fn add_farthest(all: &[Objectives], points: &[usize], chosen: &mut Vec<usize>, most: usize) {
    let mut nearest: Vec<f64> =
        points.iter().map(|point| cover(all, std::slice::from_ref(point), chosen)).collect();
    while chosen.len() < most {
        let farthest =
            (0..points.len()).reduce(|best, at| if nearest.get(at) > nearest.get(best) { at } else { best });
        let Some(&point) =
            farthest.filter(|&at| nearest.get(at) > Some(&(1.0 + SAME))).and_then(|at| points.get(at))
        else {
            break;
        };
        chosen.push(point);
        for (nearest, at) in nearest.iter_mut().zip(points) {
            if let (Some(own), Some(of)) = (all.get(point), all.get(*at)) {
                *nearest = nearest.min(factor(own, of));
            }
        }
    }
}

/// At most `most` places that stand for the front: `fixed` first, then the farthest, then each of these exchanged while that
/// lowers the worst factor.
pub(super) fn chosen(all: &[Objectives], points: &[usize], fixed: &[usize], most: usize) -> Vec<usize> {
    let mut chosen: Vec<usize> = fixed.to_vec();
    add_farthest(all, points, &mut chosen, most);
    let mut worst = cover(all, points, &chosen);
    let mut changed = true;
    while changed && worst > 1.0 + SAME {
        changed = false;
        for place in fixed.len()..chosen.len() {
            for &point in points.iter().filter(|point| !chosen.contains(point)).collect::<Vec<_>>() {
                let mut other = chosen.clone();
                if let Some(held) = other.get_mut(place) {
                    *held = point;
                }
                let now = cover(all, points, &other);
                if now < worst * (1.0 - SAME) {
                    (chosen, worst, changed) = (other, now, true);
                }
            }
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn objectives() -> impl Strategy<Value = Vec<Objectives>> {
        prop::collection::vec([1u8..20, 1u8..20, 1u8..20].prop_map(|of| of.map(f64::from)), 1..40)
    }

    proptest! {
        #[test]
        fn whatever_is_not_on_the_front_is_beaten_or_equalled_by_a_point_that_is(all in objectives()) {
            let front = front(&all);
            for own in &all {
                prop_assert!(front.iter().any(|&at| dominates(&all[at], own) || same(&all[at], own)));
            }
            for &at in &front {
                prop_assert!(!all.iter().any(|other| dominates(other, &all[at])));
            }
        }

        #[test]
        fn seven_chosen_points_cover_the_front_no_worse_than_twice_the_best_seven_of_a_random_try(
            all in objectives(), picks in prop::collection::vec(any::<prop::sample::Index>(), 7),
        ) {
            let front = front(&all);
            let ours = cover(&all, &front, &chosen(&all, &front, &[], 7));
            let theirs: Vec<usize> = picks.iter().map(|pick| front[pick.index(front.len())]).collect();
            // Farthest first is within the square of the best cover: factors multiply as distances add.
            let best = cover(&all, &front, &theirs);
            prop_assert!(ours <= best * best + 1e-9, "{ours} {best}");
        }

        #[test]
        fn layers_hold_the_front_first(all in objectives(), most in 1usize..50) {
            let front = front(&all);
            let kept = layers(&all, most);
            prop_assert_eq!(kept.len(), most.min(all.len()));
            prop_assert!(kept.iter().take(front.len().min(most)).all(|at| front.contains(at)));
        }
    }
}
