# SPDX-License-Identifier: GPL-2.0-only OR MIT
# What a program links to read the host's clocks (host_clock.h, host_cpu.h). $1: the folder of
# the hooks; what comes out are names below the source tree.
host-clock-of = $(addprefix tools/lib/,host_clock.o host_vvar.o host_calibrate.o \
	$(if $(filter x86,$1),host_cpu.o,host_cpu_any.o host_cpu_probe.o))
host-clock-objs := $(addprefix $(O)/tools/,$(call host-clock-of,$(hostarch)))

# What carries out counter instructions that an emulator refuses (trap/trap.h); $1 as above.
trap-of = tools/lib/trap/$(if $(wildcard $(srctree)/tools/lib/trap/$1.c),$1,none).o
