// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Work for zlib: every level and strategy, streams in pieces, dictionaries, damaged input, and its
 * file functions over a pipe in memory.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "work.h"

enum { MOST = 1 << 16 };

static unsigned char packed[2 * MOST], unpacked[MOST];
static char text[MOST];

static void expect(int found, int wanted, const char *what)
{
	if (found != wanted)
		errx(2, "%s: %d instead of %d", what, found, wanted);
}

static uint64_t one_shot(uint64_t sum, size_t n)
{
	for (int level = 0; level <= 9; level += 3) {
		uLongf size = sizeof(packed), back = sizeof(unpacked);

		expect(compress2(packed, &size, (const Bytef *)text, n, level), Z_OK, "compress2");
		sum = work_add(sum, packed, size);
		expect(uncompress(unpacked, &back, packed, size), Z_OK, "uncompress");
		sum = work_add(sum, unpacked, back);
		packed[size / 2] ^= 0x55;
		back = sizeof(unpacked);
		sum += uncompress(unpacked, &back, packed, size);
	}
	return sum;
}

static size_t deflate_pieces(size_t n, int level, int bits, int strategy, const char *dictionary)
{
	z_stream stream = { 0 }, copy = { 0 };

	expect(deflateInit2(&stream, level, Z_DEFLATED, bits, 1 + level % 9, strategy), Z_OK,
	       "deflateInit2");
	if (dictionary)
		expect(deflateSetDictionary(&stream, (const Bytef *)dictionary, strlen(dictionary)),
		       Z_OK, "dictionary");
	deflateTune(&stream, 8, 16, 32, 64);
	stream.next_out = packed;
	stream.avail_out = sizeof(packed);
	stream.next_in = (Bytef *)text;
	for (size_t done = 0, piece = 1; done < n;
	     done += stream.next_in - (Bytef *)text - done, piece = piece * 3 + 7) {
		stream.avail_in = piece < n - done ? piece : n - done;
		expect(deflate(&stream, piece % 5 ? Z_NO_FLUSH : Z_FULL_FLUSH), Z_OK, "deflate");
		if (piece == 10)
			expect(deflateParams(&stream, 9 - level, strategy), Z_OK, "deflateParams");
	}
	expect(deflateCopy(&copy, &stream), Z_OK, "deflateCopy");
	expect(deflate(&stream, Z_FINISH), Z_STREAM_END, "deflate's end");
	expect(deflateEnd(&copy), Z_DATA_ERROR, "deflateEnd");
	n = stream.total_out;
	deflateEnd(&stream);
	return n;
}

static uint64_t inflate_pieces(uint64_t sum, size_t n, int bits, const char *dictionary)
{
	z_stream stream = { .next_out = unpacked, .avail_out = sizeof(unpacked) };
	int result = Z_OK;

	expect(inflateInit2(&stream, bits), Z_OK, "inflateInit2");
	if (dictionary && bits < 0)
		inflateSetDictionary(&stream, (const Bytef *)dictionary, strlen(dictionary));
	stream.next_in = packed;
	for (size_t piece = 1; result == Z_OK; piece = piece * 2 + 1) {
		size_t left = packed + n - stream.next_in;

		stream.avail_in = piece < left ? piece : left;
		result = inflate(&stream, Z_NO_FLUSH);
		if (result == Z_NEED_DICT)
			result = inflateSetDictionary(&stream, (const Bytef *)dictionary,
						      strlen(dictionary));
	}
	expect(result, Z_STREAM_END, "inflate's end");
	sum = work_add(sum, unpacked, stream.total_out);
	inflateEnd(&stream);
	return sum;
}

static uint64_t streams(uint64_t sum, size_t n)
{
	static const int strategies[] = { Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE,
					  Z_FIXED };

	for (int i = 0; i < 5; i++) {
		for (int kind = 0; kind < 3; kind++) {
			int bits = kind == 0 ? 15 : kind == 1 ? -12 : 15 + 16;
			const char *dictionary = kind < 2 && i % 2 ? "joinpoint, patch " : NULL;
			size_t size = deflate_pieces(n, 2 * i + kind % 2, bits, strategies[i],
						     dictionary);

			sum = work_add(sum, packed, size);
			sum = inflate_pieces(sum, size, bits, dictionary);
		}
	}
	return sum;
}

static uint64_t files(uint64_t sum, size_t n)
{
	int fd = memfd_create("work", 0);
	char line[256] = "";
	gzFile file = gzdopen(dup(fd), "wb6");

	if (fd < 0 || !file)
		errx(2, "gzdopen");
	gzwrite(file, text, n / 4);
	gzprintf(file, "%d of %s\n", 7, "nine");
	gzputs(file, "a line\n");
	gzflush(file, Z_SYNC_FLUSH);
	gzputc(file, 'x');
	gzclose(file);
	lseek(fd, 0, SEEK_SET);
	file = gzdopen(fd, "rb");
	for (int i = 0; gzgets(file, line, sizeof(line)); i++) {
		sum = work_add(sum, line, strlen(line));
		if (i == 3)
			gzungetc('u', file);
	}
	gzrewind(file);
	gzseek(file, n / 8, SEEK_CUR);
	sum += gzread(file, line, sizeof(line)) + gztell(file);
	gzclose(file);
	return work_add(sum, line, sizeof(line));
}

static size_t begin(unsigned int size)
{
	size_t n = size * 64 < MOST ? size * 64 : MOST;

	work_text(text, n, size);
	return n;
}

uint64_t work_compression(unsigned int size)
{
	size_t n = begin(size);
	uint64_t sum = one_shot(1, n);

	sum += crc32_combine(crc32(0, (Bytef *)text, n / 2), crc32(0, (Bytef *)text + n / 2, n / 2),
			     n / 2);
	sum += adler32_combine(adler32(1, (Bytef *)text, n / 2),
			       adler32(1, (Bytef *)text + n / 2, n / 2), n / 2);
	return sum;
}

uint64_t work_streams(unsigned int size)
{
	return streams(2, begin(size));
}

uint64_t work_files(unsigned int size)
{
	return files(3, begin(size));
}
