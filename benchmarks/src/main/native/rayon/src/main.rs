//! Row J1 on Rayon: the tree of `ForkJoinTree`, with `join` where that one forks and joins.

#[path = "../../rust/harness.rs"]
mod harness;

use harness::{opaque, Plan};

fn main() {
    let plan = Plan::of_command_line();
    match (plan.case.as_str(), plan.numbers.as_slice()) {
        ("fib", &[n, cutoff]) => {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(plan.workers).build().unwrap();
            plan.run(fibonacci_loop(n), || pool.install(|| tree(opaque(n), cutoff)));
        }
        (case, numbers) => panic!("no case {case} {numbers:?}"),
    }
}

/// Forks to the left and descends to the right.
fn tree(n: u64, cutoff: u64) -> u64 {
    if n <= cutoff {
        return recursion(n);
    }
    let (right, left) = rayon::join(|| tree(n - 2, cutoff), || tree(n - 1, cutoff));
    left + right
}

fn recursion(n: u64) -> u64 {
    if n < 2 { n } else { recursion(n - 1) + recursion(n - 2) }
}

fn fibonacci_loop(n: u64) -> u64 {
    (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0
}
