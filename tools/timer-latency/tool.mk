# SPDX-License-Identifier: GPL-2.0-only OR MIT
tools += $(O)/bin/timer-latency $(O)/bin/timer-latency32

timer-latency-objs := tools/timer-latency/timer-latency.o

$(O)/bin/timer-latency: $(addprefix $(O)/tools/,$(timer-latency-objs))
$(O)/bin/timer-latency32: $(addprefix $(O)/tools32/,$(timer-latency-objs))
$(O)/bin/timer-latency32: tool-m32 := -m32

# Without shared libraries, for an initramfs; built only by name.
$(O)/bin/timer-latency-static: $(addprefix $(O)/tools/,$(timer-latency-objs))
$(O)/bin/timer-latency-static32: $(addprefix $(O)/tools32/,$(timer-latency-objs))
$(O)/bin/timer-latency-static32: tool-m32 := -m32
$(O)/bin/timer-latency-static $(O)/bin/timer-latency-static32: tool-libs := -static
