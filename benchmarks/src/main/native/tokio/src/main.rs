//! Rows C1, C2, C4 and V4 in tasks of Tokio's multi-threaded runtime. Its channels hold one message at least:
//! they are no rendezvous.

#[path = "../../rust/harness.rs"]
mod harness;

use harness::Plan;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::channel;
use tokio::task::JoinHandle;

fn main() {
    let plan = Plan::of_command_line();
    let pool = Builder::new_multi_thread().worker_threads(plan.workers).build().unwrap();
    match (plan.case.as_str(), plan.numbers.as_slice()) {
        ("ping-pong", &[pairs, rounds]) => {
            let expected = pairs * (rounds * (rounds + 1) / 2);
            plan.run(expected, || on_a_worker(&pool, ping_pong(pairs, rounds)));
        }
        ("spawn-inside", &[count]) => {
            plan.run(count, || on_a_worker(&pool, async move { joined(spawn_counters(count, 1)).await }));
        }
        ("spawn-outside", &[count]) => plan.run(count, || {
            let _entered = pool.enter();
            let spawned = spawn_counters(count, 1);
            pool.block_on(joined(spawned))
        }),
        ("yields", &[tasks, each]) => {
            plan.run(tasks * each, || {
                on_a_worker(&pool, async move { joined(spawn_counters(tasks, each)).await })
            });
        }
        ("skynet", &[children, leaves]) => {
            plan.run(leaves * (leaves - 1) / 2, || on_a_worker(&pool, node(children, 0, leaves)));
        }
        (case, numbers) => panic!("no case {case} {numbers:?}"),
    }
}

/// As `runBlocking(dispatcher)` does.
fn on_a_worker(pool: &Runtime, root: impl Future<Output = u64> + Send + 'static) -> u64 {
    pool.block_on(pool.spawn(root)).unwrap()
}

/// Pairs of tasks that pass a number to and fro.
async fn ping_pong(pairs: u64, rounds: u64) -> u64 {
    let mut sums = Vec::new();
    for _ in 0..pairs {
        let (ping, mut pinged) = channel::<u64>(1);
        let (pong, mut ponged) = channel::<u64>(1);
        sums.push(tokio::spawn(async move {
            let mut sum = 0;
            for i in 0..rounds {
                ping.send(i).await.unwrap();
                sum += ponged.recv().await.unwrap();
            }
            sum
        }));
        tokio::spawn(async move {
            for _ in 0..rounds {
                let i = pinged.recv().await.unwrap();
                pong.send(i + 1).await.unwrap();
            }
        });
    }
    let mut total = 0;
    for sum in sums {
        total += sum.await.unwrap();
    }
    total
}

/// Tasks that count to `each`, and give way after each but a single step.
fn spawn_counters(tasks: u64, each: u64) -> (Arc<Vec<AtomicU64>>, Vec<JoinHandle<()>>) {
    let counts: Arc<Vec<AtomicU64>> = Arc::new((0..tasks).map(|_| AtomicU64::new(0)).collect());
    let spawned = (0..tasks as usize)
        .map(|i| {
            let counts = counts.clone();
            tokio::spawn(async move {
                for _ in 0..each {
                    counts[i].fetch_add(1, Relaxed);
                    if each > 1 {
                        tokio::task::yield_now().await;
                    }
                }
            })
        })
        .collect();
    (counts, spawned)
}

/// The sum of the counters, which must all be the same.
async fn joined((counts, spawned): (Arc<Vec<AtomicU64>>, Vec<JoinHandle<()>>)) -> u64 {
    for task in spawned {
        task.await.unwrap();
    }
    let first = counts[0].load(Relaxed);
    assert!(counts.iter().all(|count| count.load(Relaxed) == first), "not all ran alike: {counts:?}");
    counts.len() as u64 * first
}

/// One node of the tree, whose leaves are numbered.
fn node(children: u64, first: u64, leaves: u64) -> Pin<Box<dyn Future<Output = u64> + Send>> {
    Box::pin(async move {
        if leaves == 1 {
            return first;
        }
        let each = leaves / children;
        let started: Vec<_> =
            (0..children).map(|i| tokio::spawn(node(children, first + i * each, each))).collect();
        let mut sum = 0;
        for child in started {
            sum += child.await.unwrap();
        }
        sum
    })
}
