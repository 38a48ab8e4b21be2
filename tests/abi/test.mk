# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Tests that call an image: one program per ABI, named <test>-<ABI> (the reason
# is in under_test.h). The tests of a living page, tests/life, are built likewise.

abi-test-abis := $(foreach abi,x86_64 x32 i386,$(if $($($(abi)-config)),$(abi)))

# How a program for an ABI is linked, and which objects it is made of.
abi-test-link-x86_64 :=
abi-test-objs-x86_64 := $(O)/tools
abi-test-link-x32 := -no-pie
abi-test-objs-x32 := $(O)/tools
abi-test-link-i386 := -m32
abi-test-objs-i386 := $(O)/tools32
# This one looks at the file only: what counts is its ELF class.
lookup-link-x32 := -m32
lookup-objs-x32 := $(O)/tools32
files-ldflags := -Wl,--wrap=malloc,--wrap=free
files-link-x32 := -m32
files-objs-x32 := $(O)/tools32

abi-test-lib := tests/abi/under_test.o tests/abi/places.o tools/lib/image.o lib/vdso/update.o \
	$(patsubst $(O)/tools/%,%,$(host-clock-objs))

# $1: folder below tests, $2: test, $3: ABI, $4: objects besides the test's own
define abi-test
$(O)/tests/$1/$2-$3: $(addprefix $(or $($2-objs-$3),$(abi-test-objs-$3))/,tests/$1/$2.o $4)
	$$(call say,LINK,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS) $($2-ldflags) $(or $($2-link-$3),$(abi-test-link-$3)) $$(LDFLAGS) -o $$@ $$^ -pthread -lm
tests += $(O)/tests/$1/$2-$3
endef

$(foreach abi,$(abi-test-abis),\
	$(foreach test,clocks others sandbox lookup files,\
		$(eval $(call abi-test,abi,$(test),$(abi),$(abi-test-lib))))\
	$(foreach test,between threads storm processes stop,\
		$(eval $(call abi-test,life,$(test),$(abi),$(abi-test-lib) tests/life/life.o))))

tests += $(srctree)/tests/abi/vdsotest
