// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens ELF files through libelf. libelf reports a damaged file late, and in its own words. So the
 * section headers are first checked against the file's size, with messages of weft's own. After
 * this check the bytes of every section are known to be in the file.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/notation.h"
#include "image/image.h"
#include "image/unpack.h"

enum {
	LAYOUT_ALIGNMENT = 64,
	IMPORT_SIZE = 16, /* bytes of address space for each symbol of another image */
};

struct wv_image {
	char *path;
	int fd;
	Elf *elf;
	uint8_t *unpacked; /* the decompressed bytes, if the file is compressed; else NULL */
	uint64_t file_size; /* bytes of the file, after decompression */
	bool relocatable;
	bool shared; /* a shared object: a library, or a program that can be loaded anywhere */
	/* for a relocatable image: the address of the first symbol of another image (lay_out()) */
	uint64_t imports;
	wv_sections sections; /* by section index; [0] is the null section */
	WV_VEC(uint8_t *) copies; /* sections' bytes after relocation; owned */
	uint8_t build_id[WEFT_BUILD_ID_MAX];
	size_t build_id_size;
	struct wv_image *debug; /* the debug file, once it was found; owned */
};

void wv_image_close(struct wv_image *image)
{
	if (!image)
		return;
	wv_image_close(image->debug);
	elf_end(image->elf);
	free(image->unpacked);
	wv_vec_for_each(copy, &image->copies)
		free(*copy);
	wv_vec_deinit(&image->copies);
	wv_vec_deinit(&image->sections);
	if (image->fd >= 0)
		close(image->fd);
	free(image->path);
	free(image);
}

const char *wv_image_path(const struct wv_image *image)
{
	return image->path;
}

Elf *wv_image_elf(const struct wv_image *image)
{
	return image->elf;
}

int wv_image_fd(const struct wv_image *image)
{
	return image->fd;
}

bool wv_image_is_relocatable(const struct wv_image *image)
{
	return image->relocatable;
}

bool wv_image_is_program(const struct wv_image *image)
{
	bool program = image->shared;

	wv_vec_for_each(section, &image->sections) {
		if (!strcmp(section->name, ".init.text"))
			return false;
		program |= !strcmp(section->name, ".interp") ||
			   !strcmp(section->name, ".note.ABI-tag");
	}
	return program && !image->relocatable;
}

const uint8_t *wv_image_build_id(const struct wv_image *image, size_t *size_ret)
{
	*size_ret = image->build_id_size;
	return image->build_id;
}

const wv_sections *wv_image_sections(const struct wv_image *image)
{
	return &image->sections;
}

static int fail_elf(const struct wv_image *image, struct wv_error *error, const char *what)
{
	return wv_fail_at(error, WV_E_FORMAT, image->path, 0, 0, "%s: %s", what, elf_errmsg(-1));
}

static int check_header(struct wv_image *image, struct wv_error *error)
{
	uint64_t table_end;
	GElf_Ehdr header;

	if (elf_kind(image->elf) != ELF_K_ELF)
		return wv_fail_at(error, WV_E_FORMAT, image->path, 0, 0, "not an ELF file");
	if (!gelf_getehdr(image->elf, &header))
		return fail_elf(image, error, "ELF header");
	if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64)
		return wv_fail_at(error, WV_E_FORMAT, image->path, 0, 0,
				  "not a 64-bit x86 ELF file");
	if (!header.e_shoff)
		return wv_fail_at(error, WV_E_FORMAT, image->path, 0, 0, "has no section headers");
	table_end = header.e_shoff + (uint64_t)header.e_shnum * header.e_shentsize;
	if (table_end < header.e_shoff || table_end > image->file_size)
		return wv_fail_at(
			error, WV_E_FORMAT, image->path, 0, 0,
			"truncated: the section headers end at byte %llu, the file at %llu",
			(unsigned long long)table_end, (unsigned long long)image->file_size);
	image->relocatable = header.e_type == ET_REL;
	image->shared = header.e_type == ET_DYN;
	return 0;
}

static int read_section_headers(struct wv_image *image, struct wv_error *error)
{
	size_t n, names;

	if (elf_getshdrnum(image->elf, &n) || elf_getshdrstrndx(image->elf, &names))
		return fail_elf(image, error, "section headers");
	for (size_t i = 0; i < n; i++) {
		Elf_Scn *scn = elf_getscn(image->elf, i);
		struct wv_section *section;
		GElf_Shdr header;

		if (!scn || !gelf_getshdr(scn, &header))
			return fail_elf(image, error, "section header");
		section = wv_vec_push(&image->sections);
		if (!section)
			return wv_no_memory(error);
		/*
		 * libelf loads the section of names, so check that section's location first (i =
		 * 0).
		 */
		if (i && header.sh_type != SHT_NOBITS &&
		    (header.sh_offset > image->file_size ||
		     header.sh_size > image->file_size - header.sh_offset))
			return wv_fail_at(error, WV_E_FORMAT, image->path, 0, 0,
					  "truncated: section %zu has %s at %llu, the file "
					  "ends at %llu",
					  i, wv_count_text(header.sh_size, "byte").text,
					  (unsigned long long)header.sh_offset,
					  (unsigned long long)image->file_size);
		section->address = header.sh_addr;
		section->size = header.sh_size;
		section->file_offset = header.sh_offset;
		section->flags = header.sh_flags;
		section->element = header.sh_entsize;
		section->type = header.sh_type;
	}
	for (size_t i = 0; i < n; i++) {
		GElf_Shdr header;

		gelf_getshdr(elf_getscn(image->elf, i), &header);
		image->sections.data[i].name = elf_strptr(image->elf, names, header.sh_name);
		if (!image->sections.data[i].name)
			return fail_elf(image, error, "section name");
	}
	return 0;
}

/*
 * Gives addresses to the sections of a relocatable image that would be loaded (SHF_ALLOC) and,
 * after them, to the symbols of other images.
 */
static void lay_out(struct wv_image *image)
{
	uint64_t end = WV_LAYOUT_START;

	if (!image->relocatable)
		return;
	wv_vec_for_each(section, &image->sections) {
		if (!(section->flags & SHF_ALLOC))
			continue;
		section->address = end;
		/*
		 * Leave a byte or more between two sections, because the end of one must not be an
		 * address in the next one.
		 */
		end += section->size + LAYOUT_ALIGNMENT;
		end -= end % LAYOUT_ALIGNMENT;
	}
	image->imports = end;
}

/*
 * Finds the address of symbol @number of the table @symbols. Returns false if the symbol has none.
 * libelf represents the table of a 64-bit file as an array of Elf64_Sym. The array may lie at any
 * address, so its elements are copied before they are used.
 */
static bool symbol_address(const struct wv_image *image, const Elf_Data *symbols, size_t number,
			   uint64_t *ret)
{
	Elf64_Sym symbol;

	if (!number || !symbols || !symbols->d_buf || number >= symbols->d_size / sizeof(symbol))
		return false;
	memcpy(&symbol, (const char *)symbols->d_buf + number * sizeof(symbol), sizeof(symbol));
	if (symbol.st_shndx == SHN_COMMON)
		return false;
	if (symbol.st_shndx == SHN_UNDEF) {
		*ret = image->imports + number * IMPORT_SIZE;
		return true;
	}
	*ret = symbol.st_value;
	if (symbol.st_shndx < SHN_LORESERVE && symbol.st_shndx < image->sections.n)
		*ret += image->sections.data[symbol.st_shndx].address;
	return true;
}

/*
 * The number of bytes that a relocation of this type changes; 0 for types that do not occur in the
 * sections that the weaver reads.
 */
static size_t relocated_size(uint32_t type)
{
	switch (type) {
	case R_X86_64_64: case R_X86_64_PC64:
		return sizeof(uint64_t);
	case R_X86_64_32: case R_X86_64_32S: case R_X86_64_PC32: case R_X86_64_PLT32:
		return sizeof(uint32_t);
	}
	return 0;
}

/*
 * Applies the relocations of one table to the bytes of @section. The debug information of a module
 * has a relocation for every ten bytes. With so many, a call of libelf for each would take too
 * long, so they are read directly from memory.
 */
static int relocate_with(struct wv_image *image, const struct wv_section *section, uint8_t *bytes,
			 Elf_Scn *relocations, const GElf_Shdr *header, struct wv_error *error)
{
	const Elf_Data *data = elf_getdata(relocations, NULL);
	const Elf_Data *symbols = elf_getdata(elf_getscn(image->elf, header->sh_link), NULL);
	size_t n = data && data->d_buf ? data->d_size / sizeof(Elf64_Rela) : 0;
	Elf64_Rela relocation;

	for (size_t i = 0; i < n; i++) {
		uint32_t type;
		uint64_t value;
		size_t size;

		memcpy(&relocation, (const char *)data->d_buf + i * sizeof(relocation),
		       sizeof(relocation));
		type = ELF64_R_TYPE(relocation.r_info);
		size = relocated_size(type);
		if (!size ||
		    !symbol_address(image, symbols, ELF64_R_SYM(relocation.r_info), &value))
			continue;
		if (relocation.r_offset > section->size ||
		    section->size - relocation.r_offset < size)
			return wv_fail_at(error, WV_E_FORMAT, image->path, 0, 0,
					  "section %s has a relocation outside of it",
					  section->name);
		value += relocation.r_addend;
		if (type == R_X86_64_PC32 || type == R_X86_64_PLT32 || type == R_X86_64_PC64)
			value -= section->address + relocation.r_offset;
		memcpy(bytes + relocation.r_offset, &value, size);
	}
	return 0;
}

/*
 * Relocates a copy of the bytes of @section, in a relocatable image. Makes @section and both of
 * libelf's data of the section, @data and the raw data, point to the copy: libdw 0.188 reads one of
 * them, and libdw 0.192 the other. The mapping of the file is not changed for two reasons. Sections
 * of a damaged file may overlap, and a change of one must not change another one. And names that
 * were checked must stay as they are.
 */
static int relocate(struct wv_image *image, struct wv_section *section, Elf_Data *data,
		    struct wv_error *error)
{
	size_t index = section - image->sections.data;
	Elf_Data *raw;
	uint8_t **slot;

	if (!image->relocatable)
		return 0;
	slot = wv_vec_push(&image->copies);
	if (slot)
		*slot = malloc(section->size);
	if (!slot || !*slot)
		return wv_no_memory(error);
	memcpy(*slot, section->data, section->size);
	section->data = data->d_buf = *slot;
	raw = elf_rawdata(elf_getscn(image->elf, index), NULL);
	if (raw)
		raw->d_buf = *slot;
	for (size_t i = 0; i < image->sections.n; i++) {
		Elf_Scn *scn = elf_getscn(image->elf, i);
		GElf_Shdr header;
		int ret;

		if (image->sections.data[i].type != SHT_RELA || !gelf_getshdr(scn, &header) ||
		    header.sh_info != index)
			continue;
		ret = relocate_with(image, section, *slot, scn, &header, error);
		if (ret)
			return ret;
	}
	return 0;
}

int wv_image_load(struct wv_image *image, const struct wv_section *section, struct wv_error *error)
{
	struct wv_section *loaded = &image->sections.data[section - image->sections.data];
	Elf_Scn *scn = elf_getscn(image->elf, section - image->sections.data);
	Elf_Data *data;

	if (loaded->data || loaded->type == SHT_NOBITS || !loaded->size)
		return 0;
	if ((loaded->flags & SHF_COMPRESSED) && elf_compress(scn, 0, 0) < 0)
		return wv_fail_at(error, WV_E_FORMAT, image->path, 0, 0,
				  "section %s cannot be decompressed: %s", loaded->name,
				  elf_errmsg(-1));
	data = elf_getdata(scn, NULL);
	if (!data || !data->d_buf)
		return wv_fail_at(error, WV_E_FORMAT, image->path, 0, 0,
				  "section %s cannot be read: %s", loaded->name, elf_errmsg(-1));
	loaded->data = data->d_buf;
	loaded->size = data->d_size;
	return relocate(image, loaded, data, error);
}

int wv_image_section(struct wv_image *image, const char *name, const struct wv_section **ret,
		     struct wv_error *error)
{
	*ret = NULL;
	wv_vec_for_each(section, &image->sections) {
		if (strcmp(section->name, name))
			continue;
		*ret = section;
		return wv_image_load(image, section, error);
	}
	return 0;
}

int wv_image_text(struct wv_image *image, uint64_t address, const uint8_t **ret, size_t *room_ret,
		  struct wv_error *error)
{
	*ret = NULL;
	*room_ret = 0;
	wv_vec_for_each(section, &image->sections) {
		uint64_t offset = address - section->address;
		int failed;

		if (!(section->flags & SHF_EXECINSTR) || offset >= section->size)
			continue;
		failed = wv_image_load(image, section, error);
		if (failed || !section->data)
			return failed;
		*ret = section->data + offset;
		*room_ret = section->size - offset;
		return 0;
	}
	return 0;
}

struct wv_image *wv_image_debug(const struct wv_image *image)
{
	return image->debug;
}

void wv_image_keep_debug(struct wv_image *image, struct wv_image *debug)
{
	image->debug = debug;
}

bool wv_image_has_debug(const struct wv_image *image)
{
	wv_vec_for_each(section, &image->sections)
		if (!strcmp(section->name, ".debug_info") && section->type != SHT_NOBITS)
			return true;
	return false;
}

/*
 * Returns the next section after @after that has this name and that the kernel loads (SHF_ALLOC).
 * If @after is NULL, returns the first one.
 */
static struct wv_section *next_loaded(const struct wv_image *image, const char *name,
				      struct wv_section *after)
{
	struct wv_section *section = after ? after + 1 : image->sections.data;

	for (; section < image->sections.data + image->sections.n; section++)
		if ((section->flags & SHF_ALLOC) && !strcmp(section->name, name))
			return section;
	return NULL;
}

/*
 * Returns the section of @image that corresponds to @section of @other: if @section is the n-th
 * section of its name with SHF_ALLOC in @other, the n-th of this name in @image. NULL if @image has
 * fewer.
 */
static struct wv_section *counterpart(const struct wv_image *image, const struct wv_image *other,
				      const struct wv_section *section)
{
	struct wv_section *at = NULL, *ret = NULL;

	do {
		at = next_loaded(other, section->name, at);
		ret = next_loaded(image, section->name, ret);
	} while (ret && at != section);
	return ret;
}

int wv_image_place_as(struct wv_image *image, const struct wv_image *other, struct wv_error *error)
{
	wv_vec_for_each(section, &other->sections) {
		struct wv_section *own;

		if (!(section->flags & SHF_ALLOC))
			continue;
		own = counterpart(image, other, section);
		if (!own || own->size != section->size)
			return wv_fail_at(error, WV_E_MISMATCH, image->path, 0, 0,
					  "is not the debug file of %s, whose section %s is "
					  "another: install the debug package of the same version",
					  other->path, section->name);
		own->address = section->address;
	}
	return 0;
}

/*
 * Looks for the build-id among the notes of one section. Stops without an error at a note that is
 * not well-formed.
 */
static void find_build_id(struct wv_image *image, const struct wv_section *section)
{
	Elf_Scn *scn = elf_getscn(image->elf, section - image->sections.data);
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t offset = 0, name, desc;
	GElf_Nhdr note;

	while (data && (offset = gelf_getnote(data, offset, &note, &name, &desc))) {
		const char *bytes = data->d_buf;

		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof(ELF_NOTE_GNU) ||
		    memcmp(bytes + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)))
			continue;
		if (!note.n_descsz || note.n_descsz > sizeof(image->build_id))
			continue;
		memcpy(image->build_id, bytes + desc, note.n_descsz);
		image->build_id_size = note.n_descsz;
		return;
	}
}

/* Opens the file through libelf; a compressed one is decompressed into memory. */
static int begin_elf(struct wv_image *image, struct wv_error *error)
{
	uint8_t first[WV_PACKED_MAGIC];
	ssize_t n = pread(image->fd, first, sizeof(first), 0);
	size_t size;
	int ret;

	elf_version(EV_CURRENT);
	if (n > 0 && wv_is_packed(first, n)) {
		ret = wv_unpack(image->fd, image->path, &image->unpacked, &size, error);
		if (ret)
			return ret;
		image->file_size = size;
		image->elf = elf_memory((char *)image->unpacked, size);
	} else {
		image->elf = elf_begin(image->fd, ELF_C_READ_MMAP, NULL);
	}
	return image->elf ? 0 : fail_elf(image, error, "not an ELF file");
}

static int open_elf(struct wv_image *image, struct wv_error *error)
{
	struct stat status;
	int ret;

	image->fd = open(image->path, O_RDONLY | O_CLOEXEC);
	if (image->fd < 0 || fstat(image->fd, &status))
		return wv_fail_errno(error, errno, "%s", image->path);
	if (!S_ISREG(status.st_mode))
		return wv_fail_at(error, WV_E_FORMAT, image->path, 0, 0, "not a regular file");
	image->file_size = status.st_size;
	ret = begin_elf(image, error);
	if (!ret)
		ret = check_header(image, error);
	if (!ret)
		ret = read_section_headers(image, error);
	if (ret)
		return ret;
	lay_out(image);
	wv_vec_for_each(section, &image->sections)
		if (section->type == SHT_NOTE && !image->build_id_size)
			find_build_id(image, section);
	return 0;
}

int wv_image_open(const char *path, struct wv_image **ret, struct wv_error *error)
{
	_cleanup_image_ struct wv_image *image = calloc(1, sizeof(*image));
	int failed;

	*ret = NULL;
	if (!image)
		return wv_no_memory(error);
	image->fd = -1;
	image->path = strdup(path);
	if (!image->path)
		return wv_no_memory(error);
	failed = open_elf(image, error);
	if (failed)
		return failed;
	*ret = wv_take(image);
	return 0;
}

typedef int (*visit_symbol)(const struct wv_elf_symbol *symbol, void *context,
			    struct wv_error *error);

/*
 * Calls @visit for the symbols of one table: those that it imports if @imports, else those it
 * defines.
 */
static int walk_symbols(struct wv_image *image, size_t table, bool imports, visit_symbol visit,
			void *context, struct wv_error *error)
{
	Elf_Scn *scn = elf_getscn(image->elf, table);
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Shdr header;
	int ret = 0;

	if (!data || !gelf_getshdr(scn, &header))
		return fail_elf(image, error, "symbol table");
	for (size_t k = 1; k < data->d_size / sizeof(Elf64_Sym) && !ret; k++) {
		struct wv_elf_symbol symbol = { 0 };
		GElf_Sym entry;

		if (!gelf_getsym(data, k, &entry))
			return fail_elf(image, error, "symbol");
		if ((entry.st_shndx == SHN_UNDEF) != imports)
			continue;
		symbol.name = elf_strptr(image->elf, header.sh_link, entry.st_name);
		if (!symbol.name)
			return fail_elf(image, error, "symbol name");
		symbol.address = imports ? image->imports + k * IMPORT_SIZE : entry.st_value;
		symbol.size = entry.st_size;
		symbol.type = GELF_ST_TYPE(entry.st_info);
		symbol.binding = GELF_ST_BIND(entry.st_info);
		if (!imports && entry.st_shndx < SHN_LORESERVE &&
		    entry.st_shndx < image->sections.n) {
			const struct wv_section *section = &image->sections.data[entry.st_shndx];

			symbol.executable = section->flags & SHF_EXECINSTR;
			if (image->relocatable)
				symbol.address += section->address;
		}
		ret = visit(&symbol, context, error);
	}
	return ret;
}

static int walk_tables(struct wv_image *image, bool imports, visit_symbol visit, void *context,
		       struct wv_error *error)
{
	int ret = 0;

	for (size_t i = 0; i < image->sections.n && !ret; i++)
		if (image->sections.data[i].type == SHT_SYMTAB)
			ret = walk_symbols(image, i, imports, visit, context, error);
	return ret;
}

int wv_image_each_symbol(struct wv_image *image, visit_symbol visit, void *context,
			 struct wv_error *error)
{
	return walk_tables(image, false, visit, context, error);
}

int wv_image_each_import(struct wv_image *image, visit_symbol visit, void *context,
			 struct wv_error *error)
{
	return image->relocatable ? walk_tables(image, true, visit, context, error) : 0;
}
