/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ELF note of an aspect's module that lists what the aspect may lack, as lines of text. If
 * nothing is known to be missing, there is no note. The weaver reads the note, in the module's file
 * or in /sys/module/NAME/notes; weft.ko does not.
 */
#ifndef WEFT_MODULE_NOTE_H
#define WEFT_MODULE_NOTE_H

#define WEFT_NOTE_OWNER "weft"
#define WEFT_NOTE_SECTION ".note." WEFT_NOTE_OWNER
#define WEFT_NOTE_INCOMPLETE 1

#endif /* WEFT_MODULE_NOTE_H */
