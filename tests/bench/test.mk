# SPDX-License-Identifier: GPL-2.0-only OR MIT
# What vdso-bench and timer-latency do, not how fast anything is: no test here
# depends on a measured time.

tests += $(addprefix $(srctree)/tests/bench/,options answers results latency)
tests += $(O)/tests/bench/statistics
test-needs += $(O)/bin/timer-latency-static $(O)/bin/timer-latency-static32 \
	$(O)/tests/bench/fake-clock.so $(O)/tests/bench/fake-clock32.so

$(O)/tests/bench/fake-clock.so: $(srctree)/tests/bench/fake-clock.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -O2 -Wall -Wextra -fPIC -shared -o $@ $<
$(O)/tests/bench/fake-clock32.so: $(srctree)/tests/bench/fake-clock.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(tool-cflags32) -O2 -Wall -Wextra -fPIC -shared -o $@ $<

$(O)/tests/bench/statistics: $(addprefix $(O)/tools/,tests/bench/statistics.o tools/vdso-bench/stats.o)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm
