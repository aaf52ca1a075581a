// Rows C1, C2, C4 and V4 in goroutines. Usage and output are those of rust/harness.rs.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"
)

func main() {
	args := os.Args[1:]
	if len(args) < 5 {
		panic(fmt.Sprintf("WORKERS WARMUPS ITERATIONS MILLIS CASE [NUMBER ...] expected: %q", args))
	}
	runtime.GOMAXPROCS(number(args[0]))
	numbers := make([]int, 0, len(args))
	for _, arg := range args[5:] {
		numbers = append(numbers, number(arg))
	}
	operation := find(args[4], numbers)
	measure(number(args[1]), number(args[2]), time.Duration(number(args[3]))*time.Millisecond, operation)
}

// find returns what one operation does; it checks its own result and returns it.
func find(name string, numbers []int) func() int {
	switch {
	case name == "ping-pong" && len(numbers) == 2:
		return func() int { return pingPong(numbers[0], numbers[1]) }
	case name == "spawn-inside" && len(numbers) == 1:
		return func() int { return spawn(numbers[0]) }
	case name == "yields" && len(numbers) == 2:
		return func() int { return yields(numbers[0], numbers[1]) }
	case name == "skynet" && len(numbers) == 2:
		return func() int { return skynet(numbers[0], numbers[1]) }
	}
	panic(fmt.Sprintf("no case %s %v", name, numbers))
}

func measure(warmups, iterations int, length time.Duration, operation func() int) {
	for iteration := 0; iteration < warmups+iterations; iteration++ {
		cpu := cpuNanos()
		start := time.Now()
		operations, result := 0, 0
		for operations == 0 || time.Since(start) < length {
			result = operation()
			operations++
		}
		wall := time.Since(start).Nanoseconds()
		if iteration >= warmups {
			fmt.Println(operations, wall, cpuNanos()-cpu, result)
		}
	}
}

// pingPong passes a number to and fro through two rendezvous channels, for each pair.
func pingPong(pairs, rounds int) int {
	sums := make([]int, pairs)
	var all sync.WaitGroup
	for pair := 0; pair < pairs; pair++ {
		pair := pair
		ping, pong := make(chan int), make(chan int)
		all.Add(2)
		go func() {
			defer all.Done()
			sum := 0
			for i := 0; i < rounds; i++ {
				ping <- i
				sum += <-pong
			}
			sums[pair] = sum
		}()
		go func() {
			defer all.Done()
			for i := 0; i < rounds; i++ {
				pong <- <-ping + 1
			}
		}()
	}
	all.Wait()
	return eachIs(rounds*(rounds+1)/2, sums)
}

// spawn starts goroutines that do next to nothing.
func spawn(count int) int {
	runs := make([]int, count)
	var all sync.WaitGroup
	all.Add(count)
	for i := 0; i < count; i++ {
		i := i
		go func() {
			runs[i]++
			all.Done()
		}()
	}
	all.Wait()
	return eachIs(1, runs)
}

// yields has goroutines that give way to each other.
func yields(goroutines, each int) int {
	counts := make([]int, goroutines)
	var all sync.WaitGroup
	all.Add(goroutines)
	for i := 0; i < goroutines; i++ {
		i := i
		go func() {
			for n := 0; n < each; n++ {
				counts[i]++
				runtime.Gosched()
			}
			all.Done()
		}()
	}
	all.Wait()
	return eachIs(each, counts)
}

// skynet grows one tree and adds up the numbers of its leaves.
func skynet(children, leaves int) int {
	var sum int
	var root sync.WaitGroup
	root.Add(1)
	go node(children, 0, leaves, &sum, &root)
	root.Wait()
	return eachIs(leaves*(leaves-1)/2, []int{sum})
}

func node(children, first, leaves int, sum *int, parent *sync.WaitGroup) {
	defer parent.Done()
	if leaves == 1 {
		*sum = first
		return
	}
	sums := make([]int, children)
	var started sync.WaitGroup
	started.Add(children)
	each := leaves / children
	for i := range sums {
		go node(children, first+i*each, each, &sums[i], &started)
	}
	started.Wait()
	for _, s := range sums {
		*sum += s
	}
}

func eachIs(expected int, parts []int) int {
	sum := 0
	for i, part := range parts {
		if part != expected {
			panic(fmt.Sprintf("part %d of %d is %d, not %d", i, len(parts), part, expected))
		}
		sum += part
	}
	return sum
}

func cpuNanos() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func number(arg string) int {
	n, err := strconv.Atoi(arg)
	if err != nil {
		panic(err)
	}
	return n
}
