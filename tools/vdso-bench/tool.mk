# SPDX-License-Identifier: GPL-2.0-only OR MIT
# It reads the counter itself: x86 so far.
tools += $(if $(filter x86,$(hostarch)),$(O)/bin/vdso-bench $(O)/bin/vdso-bench32)

bench-objs := $(patsubst %,tools/vdso-bench/%.o,main options subjects calls stats check \
	hot cold threads update report json output plot)
bench-objs += $(patsubst %,tools/lib/%.o,image host_clock host_vvar host_calibrate host_cpu)
bench-objs += lib/vdso/update.o

$(O)/bin/vdso-bench: $(addprefix $(O)/tools/,$(bench-objs))
$(O)/bin/vdso-bench32: $(addprefix $(O)/tools32/,$(bench-objs))
$(O)/bin/vdso-bench32: tool-m32 := -m32
$(O)/bin/vdso-bench $(O)/bin/vdso-bench32: tool-libs := -pthread

# The full benchmark, 64- and 32-bit; tables, numbers and plots stay in $(O)/bench.
bench-host: $(O)/bin/vdso-bench $(O)/bin/vdso-bench32 images
	@mkdir -p $(O)/bench
	$(Q)$(O)/bin/vdso-bench --json $(O)/bench/x86_64.json --plot $(O)/bench/x86_64.svg
	$(Q)if $(O)/bin/vdso-bench32 --version > /dev/null 2>&1; then \
		$(O)/bin/vdso-bench32 --json $(O)/bench/i386.json --plot $(O)/bench/i386.svg; \
	else \
		echo "vdso-bench32 does not run: this kernel starts no 32-bit programs"; \
	fi
	@echo "Numbers and plots are in $(O)/bench; how to read them: Documentation/benchmark.md"

.PHONY: bench-host
