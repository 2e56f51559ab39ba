// SPDX-License-Identifier: GPL-2.0-or-later
/* Decompresses whole files; see unpack.h. */
#include <dlfcn.h>
#include <errno.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/cleanup.h"
#include "image/unpack.h"

enum { FIRST_SIZE = 1 << 20 };
/*
 * No module of a kernel is as large: a small file that claims to have more bytes is an attack on
 * the memory.
 */
#define UNPACKED_MAX ((size_t)512 << 20)
/* Memory that xz may use to decompress a file. A kernel's modules need a megabyte. */
#define XZ_MEMORY_MAX (256 << 20)

/* A compressed file, and its decompressed bytes so far. */
struct unpacker {
	const char *path;
	const uint8_t *bytes;
	size_t n;
	uint8_t *out;
	size_t out_n, out_size;
	struct wv_error *error;
};

static int damaged(const struct unpacker *unpacker, const char *how)
{
	return wv_fail_at(unpacker->error, WV_E_FORMAT, unpacker->path, 0, 0,
			  "%s data that is truncated or damaged", how);
}

/* Makes room for more output. Returns -WV_E_FORMAT if the output would exceed UNPACKED_MAX. */
static int grow(struct unpacker *unpacker)
{
	size_t size = unpacker->out_size ? 2 * unpacker->out_size : FIRST_SIZE;
	uint8_t *out;

	if (size > UNPACKED_MAX)
		return wv_fail_at(unpacker->error, WV_E_FORMAT, unpacker->path, 0, 0,
				  "decompresses to more than %zu MB: no module is that large",
				  UNPACKED_MAX >> 20);
	out = realloc(unpacker->out, size);
	if (!out)
		return wv_no_memory(unpacker->error);
	unpacker->out = out;
	unpacker->out_size = size;
	return 0;
}

static int unpack_gz(struct unpacker *unpacker)
{
	z_stream stream = { .next_in = (uint8_t *)unpacker->bytes, .avail_in = unpacker->n };
	int state = inflateInit2(&stream, 16 + MAX_WBITS), ret = 0;

	if (state != Z_OK)
		return wv_no_memory(unpacker->error);
	while (!ret && state == Z_OK) {
		if (unpacker->out_n == unpacker->out_size)
			ret = grow(unpacker);
		stream.next_out = unpacker->out + unpacker->out_n;
		stream.avail_out = unpacker->out_size - unpacker->out_n;
		if (!ret)
			state = inflate(&stream, Z_NO_FLUSH);
		unpacker->out_n = unpacker->out_size - stream.avail_out;
	}
	inflateEnd(&stream);
	if (!ret && state != Z_STREAM_END)
		ret = damaged(unpacker, "gzip");
	return ret;
}

static int unpack_xz(struct unpacker *unpacker)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_ret state = lzma_stream_decoder(&stream, XZ_MEMORY_MAX, 0);
	int ret = 0;

	if (state != LZMA_OK)
		return wv_no_memory(unpacker->error);
	stream.next_in = unpacker->bytes;
	stream.avail_in = unpacker->n;
	while (!ret && state == LZMA_OK) {
		if (unpacker->out_n == unpacker->out_size)
			ret = grow(unpacker);
		stream.next_out = unpacker->out + unpacker->out_n;
		stream.avail_out = unpacker->out_size - unpacker->out_n;
		if (!ret)
			state = lzma_code(&stream, LZMA_FINISH);
		unpacker->out_n = unpacker->out_size - stream.avail_out;
	}
	lzma_end(&stream);
	if (!ret && state != LZMA_STREAM_END)
		ret = damaged(unpacker, "xz");
	return ret;
}

/*
 * libzstd is loaded at run time. It is on every Debian, because dpkg uses it, but the machines that
 * build the weaver do not have its headers. weft uses only the functions that libzstd's manual
 * calls the simple API, since these do not change.
 */
#define ZSTD_SONAME "libzstd.so.1"
/* ZSTD_CONTENTSIZE_UNKNOWN of zstd.h. One less is ZSTD_CONTENTSIZE_ERROR. */
#define ZSTD_UNKNOWN_SIZE (~0ull)

static int unpack_zst(struct unpacker *unpacker)
{
	void *library = dlopen(ZSTD_SONAME, RTLD_LAZY | RTLD_LOCAL);
	unsigned long long (*size_of)(const void *, size_t);
	size_t (*decompress)(void *, size_t, const void *, size_t);
	unsigned int (*is_error)(size_t);
	unsigned long long size;

	if (!library)
		return wv_fail_at(unpacker->error, WV_E_FAILURE, unpacker->path, 0, 0,
				  "cannot be decompressed without libzstd: install libzstd1, or "
				  "run zstd -d");
	size_of = (__typeof__(size_of))dlsym(library, "ZSTD_getFrameContentSize");
	decompress = (__typeof__(decompress))dlsym(library, "ZSTD_decompress");
	is_error = (__typeof__(is_error))dlsym(library, "ZSTD_isError");
	if (!size_of || !decompress || !is_error)
		return wv_fail_at(unpacker->error, WV_E_FAILURE, unpacker->path, 0, 0,
				  "cannot be decompressed with this libzstd: run zstd -d");
	size = size_of(unpacker->bytes, unpacker->n);
	if (size == ZSTD_UNKNOWN_SIZE)
		return wv_fail_at(unpacker->error, WV_E_FORMAT, unpacker->path, 0, 0,
				  "zstd data that does not say its size: run zstd -d");
	while (unpacker->out_size < size && size < ZSTD_UNKNOWN_SIZE - 1) {
		int ret = grow(unpacker);

		if (ret)
			return ret;
	}
	unpacker->out_n = decompress(unpacker->out, unpacker->out_size, unpacker->bytes,
				     unpacker->n);
	return is_error(unpacker->out_n) ? damaged(unpacker, "zstd") : 0;
}

static const struct format {
	uint8_t magic[WV_PACKED_MAGIC], n;
	int (*unpack)(struct unpacker *unpacker);
} formats[] = {
	{ { 0x1f, 0x8b }, 2, unpack_gz },
	{ { 0xfd, '7', 'z', 'X', 'Z', 0 }, 6, unpack_xz },
	{ { 0x28, 0xb5, 0x2f, 0xfd }, 4, unpack_zst },
};

static const struct format *find_format(const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (n >= formats[i].n && !memcmp(bytes, formats[i].magic, formats[i].n))
			return &formats[i];
	return NULL;
}

bool wv_is_packed(const uint8_t *bytes, size_t n)
{
	return find_format(bytes, n);
}

int wv_unpack(int fd, const char *path, uint8_t **ret, size_t *n_ret, struct wv_error *error)
{
	struct unpacker unpacker = { .path = path, .error = error };
	const struct format *format;
	struct stat status;
	void *bytes;
	int failed;

	*ret = NULL;
	*n_ret = 0;
	if (fstat(fd, &status))
		return wv_fail_errno(error, errno, "%s", path);
	bytes = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return wv_fail_errno(error, errno, "%s", path);
	unpacker.bytes = bytes;
	unpacker.n = status.st_size;
	format = find_format(bytes, status.st_size);
	failed = format ? format->unpack(&unpacker) : damaged(&unpacker, "compressed");
	munmap(bytes, status.st_size);
	if (failed) {
		free(unpacker.out);
		return failed;
	}
	*ret = unpacker.out;
	*n_ret = unpacker.out_n;
	return 0;
}
