// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the running kernel's build-id from its ELF notes in memory, the same bytes as
 * /sys/kernel/notes; see build-id.h.
 */
#include <linux/align.h>
#include <linux/elf.h>
#include <linux/string.h>

#include "base/build-id.h"
#include "base/unexported.h"

enum { TYPE_BUILD_ID = 3, NOTE_ALIGN = 4 };

static const char owner[] = "GNU";

static bool is_build_id(const struct elf64_note *note)
{
	return note->n_type == TYPE_BUILD_ID && note->n_namesz == sizeof(owner) &&
	       !memcmp(note + 1, owner, sizeof(owner));
}

bool wk_build_id_is(const u8 *id, unsigned int size)
{
	unsigned long at = wk_unexported.notes, end = wk_unexported.notes_end;

	while (at && at < end && end - at >= sizeof(struct elf64_note)) {
		const struct elf64_note *note = (void *)at;
		unsigned long bytes = at + sizeof(*note) + ALIGN(note->n_namesz, NOTE_ALIGN);

		if (is_build_id(note))
			return note->n_descsz == size && !memcmp((void *)bytes, id, size);
		at = bytes + ALIGN(note->n_descsz, NOTE_ALIGN);
	}
	return false;
}
