/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Included by abi.h: the parts of the text, which are the kernel proper and sections of modules. */
#ifndef WEFT_ABI_PART_H
#define WEFT_ABI_PART_H

#ifndef WEFT_ABI_H
#error "include abi.h"
#endif

/*
 * A part of the text that has joinpoints. Part 0 is the kernel proper, from _text on. It is in
 * every table, even if no joinpoint is in it, since the module was compiled for that kernel. Each
 * of the other parts is one executable section of one loadable module. To find where the kernel has
 * placed that section, weft.ko first compares the module's build-id, and then looks up one symbol
 * of the section, the anchor, among the module's symbols in the running kernel. "strings:" stands
 * for an offset in the section WEFT_SECTION_STRINGS, at which the text begins.
 *
 * A part whose module begins with a '/' is a program or shared library, at that path. No splice is
 * in its text, and no plan names its joinpoints: weft.ko registers an uprobe at each that is not
 * refused in the table. @section and @anchor are "", @anchor_offset is 0, and @size is where the
 * text ends in the file. Offsets in it count from the start of the file.
 */
struct weft_text_part {
	/* strings: the name in /proc/modules; "": the kernel proper; "/...": a program's path */
	__u32 module;
	__u32 section; /* strings: the section of the module's file; "": the kernel proper */
	/*
	 * The anchor is a symbol in the section whose name no other symbol of the module has.
	 * @anchor is its name (in strings), @anchor_offset the bytes from the section's start to
	 * the symbol. For the kernel proper: "", 0.
	 */
	__u32 anchor;
	__u32 anchor_offset;
	__u64 size; /* bytes of the section; 0: the kernel proper */
	/* the build-id of the image that the joinpoints were found in */
	__u32 build_id_size;
	__u8 build_id[WEFT_BUILD_ID_MAX];
};

/* State of a part of an aspect's text. */
enum weft_part_state {
	WEFT_PART_LOADED = 0, /* its text is there; the aspect has no splice in it */
	WEFT_PART_WOVEN = 1,  /* its text is there, with splices of the aspect */
	WEFT_PART_ABSENT = 2, /* its module is not loaded */
	/* its module is not loaded; the part is woven as soon as the module is loaded */
	WEFT_PART_PENDING = 3,
	/*
	 * a module of this name is loaded, but this part was not found in it;
	 * weft_part_status.error says why
	 */
	WEFT_PART_OTHER = 4,
	WEFT_PART_GONE = 5, /* it was woven, and its module was unloaded since */
	WEFT_PART_STATES
};

/*
 * WEFT_IOC_PARTS: reads the state of each part of an aspect (struct weft_text_part), in the order
 * of the aspect's section WEFT_SECTION_PARTS, and where it is in the running kernel. The address of
 * a part is valid until the module that the part belongs to is unloaded. Errors: ENOENT no such
 * aspect.
 */
struct weft_part_status {
	__u64 base; /* live address of the first byte; 0: ABSENT, PENDING, OTHER, GONE */
	__u64 size; /* bytes */
	__u32 state; /* enum weft_part_state */
	/* number of the aspect's advice calls in this part; a splice may have several */
	__u32 nr_splices;
	/*
	 * number of the part's shadows that were refused when its module was last loaded while the
	 * aspect was woven
	 */
	__u32 nr_refused;
	/*
	 * OTHER: -ESTALE: the module has another build-id; -ENXIO: the part is init text; of a
	 * program also another error, with which it cannot be opened: -ENOENT, -ETXTBSY (somebody
	 * writes to it), -ENOEXEC, -EOPNOTSUPP (the kernel has no uprobes), -EOWNERDEAD (a task has
	 * died by an oops in advice there). Other states: the negative errno with which weaving the
	 * part failed when its module was last loaded; 0: it did not fail.
	 */
	__s32 error;
	/* "": the kernel proper; of a program's path that is longer, "/..." and its end */
	char module[WEFT_NAME_MAX];
	char section[WEFT_NAME_MAX]; /* cut off if it is longer */
};
struct weft_parts {
	char name[WEFT_NAME_MAX];
	__u64 buffer; /* in: user address of struct weft_part_status[] */
	__u32 size;   /* in: elements that the buffer holds; out: elements that exist */
	__u32 reserved;
};

#endif /* WEFT_ABI_PART_H */
