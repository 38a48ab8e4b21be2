# SPDX-License-Identifier: GPL-2.0-only OR MIT
# "make help" tells what there is.

MAKEFLAGS += --no-builtin-rules --no-print-directory
.SUFFIXES:
.DELETE_ON_ERROR:

# Where the sources and where the results are.
srctree := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
O ?= build
override O := $(patsubst %/,%,$(O))
ifneq ($(words $(O)),1)
$(error O='$(O)' does not name a folder for the results: it takes one name without white space)
endif
# Characters that make or the shell take for something else.
hash := \#
special := $(foreach c,: ; & | < > ( ) * ? [ ] { } % ! ~ = " ' ` $(hash) $$ \,$(findstring $c,$(O))) \
	$(filter -%,$(O))
ifneq ($(strip $(special)),)
$(error O='$(O)' has $(firstword $(special)) in it, which is not for names of folders here: take another)
endif
# White space in a name that was given has cut it into words.
ifneq ($(words $(abspath $(srctree))) $(words $(wildcard $(lastword $(MAKEFILE_LIST)))),1 1)
$(error the folder of the sources has white space in its name: move it elsewhere)
endif
ifeq ($(abspath $(O)),$(abspath $(srctree)))
$(error O='$(O)' is the folder of the sources: results need one of their own)
endif

include $(srctree)/scripts/compilers.mk

# Debian's own: a python3 found first elsewhere may lack the modules from the packages.
PYTHON ?= /usr/bin/python3
CFLAGS ?= -O2 -g
PREFIX ?= /usr/local

Q := $(if $(V:0=),,@)
say = $(if $(V:0=),,@printf '  %-7s %s\n' '$1' '$(patsubst $(CURDIR)/%,%,$2)')

all: images $(if $(ARCH-foreign),,tools)

# Configuration. Every goal but those that change it needs one.
KCONFIG := $(O)/.config
autoconf := $(O)/include/generated/autoconf.h
autoconf_mk := $(O)/include/config/auto.conf
kconfig-goals := defconfig menuconfig olddefconfig help clean distclean install-kernel uninstall-kernel
# What "make clean" removes from $(O), which may be any folder. The configuration comes first
# and goes last, so where there is none, whatever has these names is not make's.
results := bench bin tests tools tools32 $(all-abis) include
ifneq ($(filter-out $(kconfig-goals),$(or $(MAKECMDGOALS),all)),)
ifeq ($(wildcard $(autoconf)),)
foreign := $(firstword $(wildcard $(addprefix $(O)/,$(filter-out include,$(results)))) \
	$(filter-out %/config %/generated,$(wildcard $(O)/include/*)))
ifneq ($(foreign),)
$(error $(foreign) was not made here, and 'make O=$(O) clean' would remove it: let O= name a new folder)
endif
endif
include $(autoconf_mk)
endif

export KCONFIG_CONFIG = $(KCONFIG)
export srctree

$(KCONFIG):
	$(call say,CONF,$@)
	@mkdir -p $(@D)
	$(Q)$(PYTHON) -m alldefconfig $(srctree)/Kconfig > /dev/null

$(autoconf_mk) $(autoconf) &: $(KCONFIG) $(srctree)/Kconfig $(wildcard $(srctree)/arch/*/vdso/Kconfig)
	$(call say,CONF,$(autoconf))
	@mkdir -p $(dir $(autoconf)) $(dir $(autoconf_mk))
	$(Q)$(PYTHON) -m genconfig --header-path $(autoconf) --config-out $(autoconf_mk) $(srctree)/Kconfig
	@touch $(autoconf_mk) $(autoconf)

defconfig:
	@mkdir -p $(O)
	$(Q)$(PYTHON) -m alldefconfig $(srctree)/Kconfig
menuconfig: $(KCONFIG)
	@test -t 1 || { echo "menuconfig needs a terminal; without one, edit $(KCONFIG)" >&2; exit 1; }
	$(Q)$(PYTHON) -m menuconfig $(srctree)/Kconfig
olddefconfig:
	@mkdir -p $(O)
	$(Q)$(PYTHON) -m olddefconfig $(srctree)/Kconfig

include $(srctree)/lib/vdso/image.mk
include $(srctree)/tools/tools.mk
include $(srctree)/tests/tests.mk
include $(srctree)/kernel/kernel.mk
include $(srctree)/tests/kernel/kernel.mk

images: $(images)
	$(if $(images),,@echo "Nothing to build: no ABI$(if $(ARCH), of ARCH=$(ARCH)) is switched on in $(KCONFIG)." \
		"Type 'make menuconfig'; what there is, arch/*/vdso/Kconfig says." >&2; exit 1)
tools: $(tools)

# Only where something was made.
clean:
	$(Q)if [ -e $(autoconf) ]; then rm -rf $(addprefix $(O)/,$(results)); fi
distclean: clean
	$(Q)if [ -e $(O)/kernel/guest/compilers ]; then rm -rf $(O)/kernel; fi
	$(Q)rm -f $(KCONFIG) $(KCONFIG).old
	$(Q)if [ -d $(O) ]; then rmdir --ignore-fail-on-non-empty $(O); fi

help:
	@sed -n '/^## /s///p' $(srctree)/Makefile

FORCE:
.PHONY: all images tools defconfig menuconfig olddefconfig clean distclean help FORCE

## Building
##   make              images build/<abi>/vdso.so and vdso.so.dbg, tools in build/bin
##   make images       only the images
##   make O=DIR        results go to DIR instead of build
##   make V=1          show the commands
##   make CC=clang     another compiler; LD=ld.bfd: another linker (ARCH=x86); LLVM=1: as in Linux
##   make ARCH=arm64   only this architecture's images; CROSS_COMPILE=, CROSS_COMPILE_COMPAT=
##                     name its compilers, as in Linux
##   make clean        remove what was built; distclean: the configuration too
## Configuring
##   make defconfig    the default configuration
##   make menuconfig   change it in a menu
## Using
##   make run          real programs and a short benchmark on our image
##   make bench        the full benchmark; with ARCH= what a call costs on other machines
##   make install      tools, header and man pages, below PREFIX=/usr/local
## In a kernel
##   make install-kernel KDIR=DIR    carry it into the Linux source tree DIR (6.12);
##                     DRY_RUN=1 only says what would be done
##   make uninstall-kernel KDIR=DIR  take it out again
## Testing
##   make check        the whole test suite that needs no kernel build
##   make check-kernel builds kernels with uvdso, boots them under QEMU, runs tests inside;
##                     ARCH=x86_64, i386, arm64 or arm, KERNEL=6.12, VDSOTEST=program
##   make bench-kernel stock kernel and ours side by side, in instructions
