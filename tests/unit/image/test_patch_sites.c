// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests image/patch-sites.c. An entry of .altinstructions has one of two sizes, which must be found
 * from the contents of the entries. A table that fits neither size must be refused.
 */
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include "cmocka-all.h"
#include "files.h"
#include "image/patch-sites.h"

enum { TEXT = 0x10000, REPLACEMENTS = 0x20000, TABLE = 0x30000, SIZE = 0x1000 };
enum { OLD = 12, NEW = 14 };

/* A table of alternatives in the kernel's format. */
struct table {
	uint8_t bytes[SIZE];
	size_t n;
};

static void put(struct table *table, uint32_t value, size_t size)
{
	memcpy(table->bytes + table->n, &value, size);
	table->n += size;
}

static void put_entry(struct table *table, size_t entry, uint32_t address, uint32_t replacement,
		      uint8_t size, uint8_t replacement_size)
{
	put(table, address - (TABLE + table->n), 4);
	put(table, replacement - (TABLE + table->n), 4);
	put(table, 7 * 32 + 5, entry - 4 - 4 - 1 - 1);
	put(table, size, 1);
	put(table, replacement_size, 1);
}

static void add_section(Elf *elf, uint32_t name, uint64_t flags, uint64_t address, void *bytes,
			size_t n)
{
	Elf_Scn *section = elf_newscn(elf);
	Elf_Data *data = elf_newdata(section);
	GElf_Shdr header;

	*data = (Elf_Data){ .d_buf = bytes, .d_size = n, .d_align = 1, .d_version = EV_CURRENT };
	gelf_getshdr(section, &header);
	header.sh_name = name;
	header.sh_type = name == 1 ? SHT_STRTAB : SHT_PROGBITS;
	header.sh_flags = flags;
	header.sh_addr = address;
	gelf_update_shdr(section, &header);
}

/* Writes an image with this table of alternatives; returns its path. */
static const char *write_image(const struct table *table)
{
	static char names[] = "\0.shstrtab\0.text\0.altinstr_replacement\0.altinstructions";
	static uint8_t text[SIZE];
	const char *path = files_path("image");
	const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	GElf_Ehdr header = { 0 };
	Elf *elf;

	assert_true(fd >= 0);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_WRITE, NULL);
	gelf_newehdr(elf, ELFCLASS64);
	gelf_getehdr(elf, &header);
	header.e_ident[EI_DATA] = ELFDATA2LSB;
	header.e_machine = EM_X86_64;
	header.e_type = ET_EXEC;
	header.e_version = EV_CURRENT;
	header.e_shstrndx = 1;
	gelf_update_ehdr(elf, &header);
	add_section(elf, 1, 0, 0, names, sizeof(names));
	add_section(elf, 11, SHF_ALLOC | SHF_EXECINSTR, TEXT, text, SIZE);
	add_section(elf, 17, SHF_ALLOC | SHF_EXECINSTR, REPLACEMENTS, text, SIZE);
	add_section(elf, 39, SHF_ALLOC, TABLE, (void *)table->bytes, table->n);
	assert_true(elf_update(elf, ELF_C_WRITE) > 0);
	elf_end(elf);
	close(fd);
	return path;
}

static int read_owners(const struct table *table, struct wv_owners *owners, struct wv_error *error)
{
	struct wv_image *image;
	int ret;

	assert_int_equal(wv_image_open(write_image(table), &image, error), 0);
	ret = wv_owners_init(owners, image, error);
	wv_image_close(image);
	return ret;
}

/* Reads tables of both sizes. Some have a length that both entry sizes divide. */
static void both_sizes(void **state)
{
	const size_t sizes[] = { OLD, NEW };

	for (size_t i = 0; i < 2; i++) {
		for (size_t n = 1; n <= 14; n++) {
			struct table table = { .n = 0 };
			struct wv_owners owners;
			struct wv_error error;

			for (size_t k = 0; k < n; k++)
				put_entry(&table, sizes[i], TEXT + 8 * k, REPLACEMENTS + 5 * k, 5,
					  k % 2 ? 5 : 0);
			assert_int_equal(read_owners(&table, &owners, &error), 0);
			assert_int_equal(owners.list.n, n);
			for (size_t k = 0; k < n; k++) {
				assert_int_equal(owners.list.data[k].kind, WV_OWNER_ALTERNATIVE);
				assert_int_equal(owners.list.data[k].address, TEXT + 8 * k);
				assert_int_equal(owners.list.data[k].size, 5);
			}
			wv_owners_deinit(&owners);
		}
	}
}

static void refuse(const struct table *table, const char *message)
{
	struct wv_owners owners;
	struct wv_error error;

	assert_int_equal(read_owners(table, &owners, &error), -WV_E_FORMAT);
	assert_non_null(strstr(error.message, message));
}

static void neither(void **state)
{
	struct table table = { .n = 0 };

	/*
	 * These tables must be refused: an entry outside the text; a replacement outside its
	 * section; a replacement that is longer than what it replaces; an entry that lacks its last
	 * byte.
	 */
	put_entry(&table, NEW, TEXT, REPLACEMENTS, 5, 5);
	put_entry(&table, NEW, TEXT + SIZE - 4, REPLACEMENTS, 5, 5);
	refuse(&table, "make sense neither with 12 bytes nor with 14");
	table.n = 0;
	put_entry(&table, OLD, TEXT, REPLACEMENTS + SIZE, 5, 5);
	refuse(&table, "make sense neither with 12 bytes nor with 14");
	table.n = 0;
	put_entry(&table, OLD, TEXT, REPLACEMENTS, 5, 6);
	refuse(&table, "make sense neither with 12 bytes nor with 14");
	table.n = 0;
	put_entry(&table, NEW, TEXT, REPLACEMENTS, 5, 5);
	table.n--;
	refuse(&table, "make sense neither with 12 bytes nor with 14");
}

static void no_entry(void **state)
{
	const struct table table = { .n = 0 };
	struct wv_owners owners;
	struct wv_error error;

	assert_int_equal(read_owners(&table, &owners, &error), 0);
	assert_int_equal(owners.list.n, 0);
	wv_owners_deinit(&owners);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_sizes),
		cmocka_unit_test(neither),
		cmocka_unit_test(no_entry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
