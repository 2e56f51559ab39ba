// SPDX-License-Identifier: GPL-2.0-or-later
/* Facts about the running kernel, and its module loader; see running-kernel.h. */
#include <linux/capability.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "live/privilege.h"
#include "live/running-kernel.h"

#define NOTES_FILE "/sys/kernel/notes"

static size_t align4(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

/*
 * Searches @size bytes of ELF notes for the GNU build-id. Returns its bytes, and sets *@size_ret to
 * their number. Returns NULL if there is none.
 */
static const uint8_t *find_build_id(const uint8_t *notes, size_t size, size_t *size_ret)
{
	Elf64_Nhdr note;

	while (size >= sizeof(note)) {
		size_t name, all;

		memcpy(&note, notes, sizeof(note));
		name = align4(note.n_namesz);
		all = sizeof(note) + name + align4(note.n_descsz);
		if (all > size)
			return NULL;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof("GNU") &&
		    !memcmp(notes + sizeof(note), "GNU", sizeof("GNU"))) {
			*size_ret = note.n_descsz;
			return notes + sizeof(note) + name;
		}
		notes += all;
		size -= all;
	}
	return NULL;
}

int wv_kernel_build_id(uint8_t *buffer, size_t size, size_t *size_ret, struct wv_error *error)
{
	_cleanup_close_ int fd = open(NOTES_FILE, O_RDONLY | O_CLOEXEC);
	const uint8_t *id;
	uint8_t notes[4096];
	ssize_t n;

	if (fd < 0)
		return wv_fail_errno(error, errno, NOTES_FILE);
	n = read(fd, notes, sizeof(notes));
	if (n < 0)
		return wv_fail_errno(error, errno, NOTES_FILE);
	id = find_build_id(notes, n, size_ret);
	if (!id || *size_ret > size)
		return wv_fail(error, WV_E_MISMATCH, "the running kernel has no build-id in %s",
			       NOTES_FILE);
	memcpy(buffer, id, *size_ret);
	return 0;
}

void wv_build_id_text(const uint8_t *id, size_t size, char *text)
{
	text[0] = '\0';
	for (size_t i = 0; i < size; i++)
		sprintf(text + 2 * i, "%02x", id[i]);
}

/* Returns whether the file ends with the mark that the kernel's sign-file adds to a module. */
static bool is_signed(int fd)
{
	static const char mark[] = "~Module signature appended~\n";
	char end[sizeof(mark) - 1];
	off_t size = lseek(fd, 0, SEEK_END);

	return size >= (off_t)sizeof(end) &&
	       pread(fd, end, sizeof(end), size - sizeof(end)) == sizeof(end) &&
	       !memcmp(end, mark, sizeof(end));
}

static int not_trusted(const char *path, int fd, struct wv_error *error)
{
	if (is_signed(fd))
		return wv_fail(error, WV_E_PRIVILEGE,
			       "%s: signed with a key that this kernel does not trust: enrol its "
			       "certificate (`mokutil --import FILE`, then reboot), or sign with a "
			       "trusted one (--sign-key)",
			       path);
	return wv_fail(error, WV_E_PRIVILEGE,
		       "%s: not signed, and this kernel loads only signed modules: enrol a key "
		       "(`mokutil --import /var/lib/dkms/mok.pub`, then reboot), and compile the "
		       "aspect as root, who can read it",
		       path);
}

int wv_kernel_load(const char *path, bool *loaded_ret, struct wv_error *error)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

	*loaded_ret = false;
	if (fd < 0)
		return wv_fail_errno(error, errno, "%s", path);
	if (!syscall(SYS_finit_module, fd, "", 0)) {
		*loaded_ret = true;
		return 0;
	}
	switch (errno) {
	case EEXIST:
		return 0;
	case EKEYREJECTED:
	case ENOKEY:
		return not_trusted(path, fd, error);
	/* A process with CAP_SYS_MODULE gets EPERM because the kernel is locked down. */
	case EPERM:
		if (wv_has_capability(CAP_SYS_MODULE))
			return not_trusted(path, fd, error);
		return wv_fail(error, WV_E_PRIVILEGE,
			       "%s: the kernel does not load it: this needs root (CAP_SYS_MODULE)",
			       path);
	case ENOEXEC:
		return wv_fail(
			error, WV_E_MISMATCH,
			"%s: made for another kernel (`dmesg | tail` shows how they differ)",
			path);
	case ENOENT:
		return wv_fail(
			error, WV_E_MISMATCH,
			"%s: needs a symbol that this kernel lacks (`dmesg | tail` names it)",
			path);
	case ENOMEM:
		return wv_fail(
			error, WV_E_NO_MEMORY,
			"%s: there is no memory for its tables and buffers; those of all aspects "
			"have a share (weft.ko's parameter memory_percent): unload some, or raise "
			"it",
			path);
	default:
		return wv_fail_errno(error, errno,
				     "%s: the kernel does not load it (`dmesg | tail` may say why)",
				     path);
	}
}

int wv_kernel_unload(const char *name, struct wv_error *error)
{
	if (!syscall(SYS_delete_module, name, O_NONBLOCK) || errno == ENOENT)
		return 0;
	if (errno == EWOULDBLOCK || errno == EBUSY)
		return wv_fail(error, WV_E_STATE,
			       "module %s is in use: try again when `lsmod` shows no users of it",
			       name);
	return wv_fail_errno(error, errno, "removing module %s", name);
}
