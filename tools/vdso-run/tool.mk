# SPDX-License-Identifier: GPL-2.0-only OR MIT
# It moves registers about and puts system calls into programs: x86 so far.
tools += $(if $(filter x86,$(hostarch)),$(O)/bin/vdso-run)

vdso-run-objs := main.o options.o program.o launch.o segment.o supervisor.o tracee.o \
	clock_pages.o inspect.o inject.o timens.o clock_thread.o publish.o guard.o count.o report.o

$(O)/bin/vdso-run: $(addprefix $(O)/tools/tools/vdso-run/,$(vdso-run-objs)) \
	$(O)/tools/tools/lib/image.o $(host-clock-objs) $(O)/tools/lib/vdso/update.o
$(O)/bin/vdso-run: tool-libs := -lpthread
