//! `native-peer WORKERS WARMUPS ITERATIONS MILLIS CASE [NUMBER ...]` runs a case again and again, and prints
//! `OPERATIONS WALL_NANOS CPU_NANOS RESULT` for each iteration after the warm-ups.

use std::time::{Duration, Instant};

/// What the command line asks for.
pub struct Plan {
    pub workers: usize,
    warmups: u64,
    iterations: u64,
    length: Duration,
    pub case: String,
    pub numbers: Vec<u64>,
}

impl Plan {
    pub fn of_command_line() -> Plan {
        let args: Vec<String> = std::env::args().skip(1).collect();
        assert!(args.len() >= 5, "WORKERS WARMUPS ITERATIONS MILLIS CASE [NUMBER ...] expected: {args:?}");
        let number = |arg: &String| arg.parse::<u64>().unwrap_or_else(|_| panic!("not a number: {arg}"));
        Plan {
            workers: number(&args[0]) as usize,
            warmups: number(&args[1]),
            iterations: number(&args[2]),
            length: Duration::from_millis(number(&args[3])),
            case: args[4].clone(),
            numbers: args[5..].iter().map(number).collect(),
        }
    }

    /// Every operation must give the expected result.
    pub fn run(&self, expected: u64, mut operation: impl FnMut() -> u64) {
        for iteration in 0..self.warmups + self.iterations {
            let cpu = cpu_nanos();
            let start = Instant::now();
            let mut operations = 0;
            while operations == 0 || start.elapsed() < self.length {
                let result = operation();
                assert!(result == expected, "{} gave {result}, not {expected}", self.case);
                operations += 1;
            }
            let wall = start.elapsed().as_nanos();
            if iteration >= self.warmups {
                println!("{operations} {wall} {} {expected}", cpu_nanos() - cpu);
            }
        }
    }
}

/// A number that the compiler does not know, or it would compute the whole tree by itself.
#[allow(dead_code)] // not by every peer
pub fn opaque(number: u64) -> u64 {
    unsafe { std::ptr::read_volatile(&number) }
}

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanos: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}

/// Of all threads of the process, as 64-bit Linux counts it.
fn cpu_nanos() -> i64 {
    const PROCESS_CPU_TIME: i32 = 2;
    let mut time = Timespec { seconds: 0, nanos: 0 };
    let status = unsafe { clock_gettime(PROCESS_CPU_TIME, &mut time) };
    assert!(status == 0, "no CPU clock");
    time.seconds * 1_000_000_000 + time.nanos
}
