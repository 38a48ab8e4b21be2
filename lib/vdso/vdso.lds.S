/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The shape of every image. A vDSO differs from other shared objects: nobody
 * relocates it and nothing in it can be written. It is one segment from the ELF
 * header to the last instruction, mapped read-only and executable, so the
 * sections below are placed by what keeps it short, not by protection. Anything
 * that would need relocation or writable memory must be empty; the
 * assertions at the end see to that.
 *
 * The data pages lie in front of the image, at a fixed distance.
 */
#include <asm/vdso/pages.h>

#ifndef ARCH_VDSO_FILL
#define ARCH_VDSO_FILL
#endif

SECTIONS
{
	vdso_pages = . - ARCH_VDSO_PAGES * ARCH_VDSO_PAGE_SIZE;
	. = SIZEOF_HEADERS;

	.hash		: { *(.hash) }			:text
	.gnu.hash	: { *(.gnu.hash) }
	.dynsym		: { *(.dynsym) }
	.dynstr		: { *(.dynstr) }
	.gnu.version	: { *(.gnu.version) }
	.gnu.version_d	: { *(.gnu.version_d) }
	.gnu.version_r	: { *(.gnu.version_r) }

	/* Not in PT_NOTE: notes of 64-bit ABIs are padded to 4 bytes, but this one to 8. */
	.note.gnu.property : { *(.note.gnu.property) }	:text :property
	.note		: { *(.note.*) }		:text :note

	.dynamic	: { *(.dynamic) }		:text :dynamic
#ifdef ARCH_VDSO_EXIDX
	/* Entries name the routine that interprets them, which is the unwinder's affair. */
	PROVIDE_HIDDEN(__aeabi_unwind_cpp_pr0 = 0);
	PROVIDE_HIDDEN(__aeabi_unwind_cpp_pr1 = 0);
	.ARM.extab	: { *(.ARM.extab*) }		:text
	/* The linker adds a PT_ARM_EXIDX for it. */
	.ARM.exidx	: { *(.ARM.exidx*) }		:text
#else
	.eh_frame_hdr	: { *(.eh_frame_hdr) }		:text :eh_frame_hdr
	.eh_frame	: { KEEP(*(.eh_frame)) }	:text
#endif
	.rodata		: { *(.rodata .rodata.*) }	:text

	. = ALIGN(64);
	.text		: { *(.text.hot .text.hot.* .text .text.*) } ARCH_VDSO_FILL

	/* Must stay empty. */
	.data		: { *(.data .data.* .sdata .bss .bss.* .sbss .dynbss COMMON) }
	.got		: { *(.got .got.plt .igot .igot.plt .toc) }
	.plt		: { *(.plt .plt.* .iplt) }
	.rel		: { *(.rel.* .rela.* .relr.*) }
	ASSERT(SIZEOF(.data) == 0, "a vDSO can't have writable data")
	ASSERT(SIZEOF(.rel) == 0, "a vDSO can't have relocations")

	/* Not mapped: for debuggers, in vdso.so.dbg only. */
	.comment 0 : { *(.comment) }
	.symtab 0 : { *(.symtab) }
	.symtab_shndx 0 : { *(.symtab_shndx) }
	.strtab 0 : { *(.strtab) }
	.shstrtab 0 : { *(.shstrtab) }
	.debug_abbrev 0 : { *(.debug_abbrev) }
	.debug_addr 0 : { *(.debug_addr) }
	.debug_aranges 0 : { *(.debug_aranges) }
	.debug_frame 0 : { *(.debug_frame) }
	.debug_info 0 : { *(.debug_info) }
	.debug_line 0 : { *(.debug_line) }
	.debug_line_str 0 : { *(.debug_line_str) }
	.debug_loc 0 : { *(.debug_loc) }
	.debug_loclists 0 : { *(.debug_loclists) }
	.debug_macro 0 : { *(.debug_macro) }
	.debug_names 0 : { *(.debug_names) }
	.debug_gnu_pubnames 0 : { *(.debug_gnu_pubnames) }
	.debug_gnu_pubtypes 0 : { *(.debug_gnu_pubtypes) }
	.debug_pubnames 0 : { *(.debug_pubnames) }
	.debug_pubtypes 0 : { *(.debug_pubtypes) }
	.debug_ranges 0 : { *(.debug_ranges) }
	.debug_rnglists 0 : { *(.debug_rnglists) }
	.debug_str 0 : { *(.debug_str) }
	.debug_str_offsets 0 : { *(.debug_str_offsets) }
	.debug_types 0 : { *(.debug_types) }

	/DISCARD/	: { *(.note.GNU-stack .sframe .ARM.attributes .riscv.attributes)
			  *(.llvm_* .llvm.*)
			  *(.GCC.command.line .stack_sizes) }
}

PHDRS
{
	text		PT_LOAD		FLAGS(5) FILEHDR PHDRS;	/* PF_R | PF_X */
	dynamic		PT_DYNAMIC	FLAGS(4);
	note		PT_NOTE		FLAGS(4);
#ifndef ARCH_VDSO_EXIDX
	eh_frame_hdr	PT_GNU_EH_FRAME	FLAGS(4);
#endif
	property	0x6474e553	FLAGS(4);		/* PT_GNU_PROPERTY */
}
