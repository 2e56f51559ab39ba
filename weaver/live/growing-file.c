// SPDX-License-Identifier: GPL-2.0-or-later
/* Adds to files by whole pieces; see growing-file.h. */
#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "live/growing-file.h"

int wv_growing_create(struct wv_growing *file, const char *path)
{
	file->size = 0;
	file->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	return file->fd < 0 ? errno : 0;
}

int wv_growing_cut(struct wv_growing *file, uint64_t size)
{
	file->size = size;
	return ftruncate(file->fd, (off_t)size) ? errno : 0;
}

int wv_growing_add(struct wv_growing *file, const void *first, size_t first_size,
		   const void *second, size_t second_size)
{
	const size_t size = first_size + second_size;

	for (size_t done = 0; done < size;) {
		const size_t of_second = done > first_size ? done - first_size : 0;
		const size_t of_first = done - of_second;
		const struct iovec pieces[2] = {
			{ (char *)first + of_first, first_size - of_first },
			{ (char *)second + of_second, second_size - of_second },
		};
		ssize_t n = pwritev(file->fd, pieces, 2, (off_t)(file->size + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			int why = n ? errno : ENOSPC;

			/*
			 * Cut off the part of the piece that was written. If that fails, the next
			 * piece is written over it.
			 */
			wv_growing_cut(file, file->size);
			return why;
		}
		done += (size_t)n;
	}
	file->size += size;
	return 0;
}

int wv_growing_add_text(struct wv_growing *file, const struct wv_str *text)
{
	return text->failed ? ENOMEM : wv_growing_add(file, text->data, text->n, "", 0);
}

void wv_growing_close(struct wv_growing *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}
