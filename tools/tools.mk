# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The tools. Each folder's tool.mk says what its tool is made of:
#
#   tools += $(O)/bin/<tool>
#   $(O)/bin/<tool>: <objects below $(O)/tools/...>
#
# and may add tool-libs for one target: "$(O)/bin/<tool>: tool-libs := -lm".
# Objects of tools/lib and of the core (lib/vdso/update.o) are shared.

tool-cflags = $(CFLAGS) -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter \
	-I$(srctree)/include -I$(srctree)/include/uapi -I$(srctree)/arch/$(hostarch)/include \
	-I$(srctree)/tools/lib -include $(autoconf)
# Programs for 32-bit x86. gcc-multilib would bring the link /usr/include/asm.
tool-cflags32 = -m32 -idirafter /usr/include/x86_64-linux-gnu

tools :=
include $(sort $(wildcard $(srctree)/tools/*/tool.mk))

# What calls cost on this machine; with ARCH also, and for another machine's only, what
# they cost on CPUs of that architecture. One after the other: the first one measures times.
bench:
	$(if $(ARCH-foreign),,$(Q)$(MAKE) -f $(srctree)/Makefile bench-host)
	$(if $(ARCH),$(Q)$(MAKE) -f $(srctree)/Makefile bench-cost)

.PHONY: bench

# Changes when the command line does: then everything is built anew.
$(O)/tools/command: FORCE
	$(call vdso-note-change,$(CC) $(tool-cflags) $(LDFLAGS))

# $(O)/tools/... holds 64-bit objects, $(O)/tools32/... 32-bit ones.
$(O)/tools/%.o: $(srctree)/%.c $(O)/tools/command $(autoconf)
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -MMD -MP $(tool-cflags) -c -o $@ $<
$(O)/tools32/%.o: $(srctree)/%.c $(O)/tools/command $(autoconf)
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -MMD -MP $(tool-cflags32) $(tool-cflags) -c -o $@ $<

$(O)/bin/%: $(O)/tools/command
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(tool-m32) $(LDFLAGS) -o $@ $(filter %.o,$^) $(tool-libs)

# A target of 32-bit objects says "$(O)/bin/<tool>: tool-m32 := -m32".

-include $(shell find $(O)/tools $(O)/tools32 -name '*.d' 2>/dev/null)
