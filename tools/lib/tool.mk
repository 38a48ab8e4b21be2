# SPDX-License-Identifier: GPL-2.0-only OR MIT
# What a tool links to read the host's clocks (host_clock.h, host_cpu.h).
host-clock-objs := $(addprefix $(O)/tools/tools/lib/,host_clock.o host_vvar.o host_calibrate.o host_cpu.o)
