// SPDX-License-Identifier: GPL-2.0-only OR MIT

// A Go program: statically linked, reads its vDSO by itself and calls it on a stack
// of its own. Many goroutines check that time.Now() lies between two system calls
// and that no goroutine sees the monotonic clock run backwards.
//
// Usage: gocheck [CHECKS], in each goroutine
package main

import (
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

const goroutines = 100

// The timespec of the system call has two words. Not on the stack of a goroutine:
// that may move between taking its address and the call.
type timespec [2]int

var buffers [goroutines]timespec

// The kernel's time of day.
func kernelNow(ts *timespec) int64 {
	_, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, 0,
		uintptr(unsafe.Pointer(ts)), 0)
	if errno != 0 {
		fail("system call clock_gettime: " + errno.Error())
	}
	return int64(ts[0])*1e9 + int64(ts[1])
}

func fail(what string) {
	println("gocheck: " + what)
	os.Exit(1)
}

var (
	start  = time.Now()
	latest int64
)

func check(ts *timespec) {
	before := kernelNow(ts)
	now := time.Now().UnixNano()
	after := kernelNow(ts)
	if now < before || now > after {
		println(before, now, after)
		fail("time.Now() is not between two system calls")
	}
}

func checkMonotonic() {
	seen := atomic.LoadInt64(&latest)
	now := int64(time.Since(start))
	if now < seen {
		println(seen, now)
		fail("another goroutine had seen a later monotonic time")
	}
	atomic.CompareAndSwapInt64(&latest, seen, now)
}

func main() {
	var all sync.WaitGroup

	checks := 500
	if len(os.Args) > 1 {
		checks, _ = strconv.Atoi(os.Args[1])
	}
	runtime.GOMAXPROCS(4)
	for i := 0; i < goroutines; i++ {
		all.Add(1)
		go func(ts *timespec) {
			defer all.Done()
			for n := 0; n < checks; n++ {
				check(ts)
				checkMonotonic()
			}
			time.Sleep(time.Millisecond)
		}(&buffers[i])
	}
	all.Wait()
}
