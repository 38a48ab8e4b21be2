# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Tests that need an x86 CPU: the real hooks on pages that the test fills, and
# single-stepping. Variants and rules are those of tests/core/test.mk, which is
# read before.

x86-cores := lib/vdso/entry.o lib/vdso/calibration.o lib/vdso/update.o
x86-test-objs := tests/x86/pages.o tests/core/model.o $(x86-cores)
x86-tests := pvclock hyperv concurrent

$(foreach v,64 32,$(eval $(call core-objects,$v,x86,\
	-I$(srctree)/tests/x86/include -I$(srctree)/arch/x86/include)))
$(foreach v,64 32,$(foreach t,$(x86-tests),\
	$(eval $(call core-program,$v,x86,x86,$t,$(x86-test-objs)))))

# Reader and writer on the simulated machine, each stopped at every instruction.
$(foreach v,64 32,$(eval $(call core-program,$v,sim,x86,interleave,$(core-test-objs))))
