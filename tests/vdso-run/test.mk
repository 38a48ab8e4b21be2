# SPDX-License-Identifier: GPL-2.0-only OR MIT
# vdso-run itself: how it starts, refuses, passes things on and ends.

vdso-run-tests := $(O)/tests/vdso-run

$(vdso-run-tests)/reader: $(O)/tools/tests/vdso-run/reader.o
$(vdso-run-tests)/filter: $(O)/tools/tests/vdso-run/filter.o
$(vdso-run-tests)/lag: $(O)/tools/tests/vdso-run/lag.o
$(vdso-run-tests)/handover: $(O)/tools/tests/vdso-run/handover.o \
	$(O)/tools/tools/vdso-run/publish.o $(host-clock-objs) $(O)/tools/lib/vdso/update.o
$(vdso-run-tests)/%:
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lpthread

test-needs += $(addprefix $(vdso-run-tests)/,reader filter lag)
tests += $(vdso-run-tests)/handover $(addprefix $(srctree)/tests/vdso-run/,\
	status jobs refuse privileges namespaces death clocks)
