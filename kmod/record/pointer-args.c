// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Copies the objects that a record's arguments point to; see pointer-args.h. A copy has as many
 * bytes as lib/vsprintf.c will read: for some conversions the width says how many, for the others
 * the letters after %p. For dentries and files vsprintf.c follows further pointers, so the copies
 * that it gets point to each other, and only the members that it reads are set.
 */
#include <linux/bitops.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/gfp.h>
#include <linux/if_ether.h>
#include <linux/in6.h>
#include <linux/ioport.h>
#include <linux/kernel.h>
#include <linux/netdev_features.h>
#include <linux/rtc.h>
#include <linux/socket.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/types.h>
#include <linux/uaccess.h>
#include <linux/uuid.h>

#include "runtime/advice.h"
#include "record/pointer-args.h"

enum {
	STRING_MAX = 1024, /* upper bound of a record's text */
	HEX_MAX = 64,	   /* bytes of %ph */
	IPV4_SIZE = 4,
	PARENTS_MAX = 4,   /* levels of %pd4, the dentry itself included */
	WIDTH_MOST = 1 << 16, /* limit of a '*' width; at wider ones vsprintf.c may warn */
};

static void *bad(void)
{
	return ERR_PTR(-EFAULT);
}

/* Allocates @size bytes for a copy; NULL if they do not fit. */
static void *take_room(struct wk_pointer_args *pointer_args, size_t size)
{
	void *room = pointer_args->copies + pointer_args->used;

	if (size > WK_POINTER_ARGS_SIZE - pointer_args->used)
		return NULL;
	pointer_args->used += ALIGN(size, 8);
	return room;
}

static void *copy_bytes(struct wk_pointer_args *pointer_args, const void *from, size_t size)
{
	void *to = take_room(pointer_args, size);

	return to && !weft_read(to, from, size) ? to : bad();
}

/*
 * Copies the string @from: at most @precision bytes of it (negative: no limit), and no more than a
 * record has room for.
 */
static void *copy_string(struct wk_pointer_args *pointer_args, const char *from, int precision)
{
	size_t room = min_t(size_t, STRING_MAX, WK_POINTER_ARGS_SIZE - pointer_args->used);
	char *to = (char *)pointer_args->copies + pointer_args->used;

	if (precision >= 0 && precision < room)
		room = precision + 1;
	if (!room)
		return ""; /* no room is left: earlier arguments have filled the record's text */
	if (weft_read_string(to, room, from))
		return bad();
	pointer_args->used += ALIGN(strlen(to) + 1, 8);
	return to;
}

/*
 * Copies an IPv4 or IPv6 socket address, for %pIS. Of an address of another family %pIS reads only
 * the family.
 */
static void *copy_address(struct wk_pointer_args *pointer_args, const struct sockaddr *from)
{
	unsigned short family;
	struct sockaddr *to;

	if (weft_read(&family, &from->sa_family, sizeof(family)))
		return bad();
	to = copy_bytes(pointer_args, from,
			family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr));
	if (!IS_ERR(to))
		/* The copy has the size for this family, whatever the original says by now. */
		to->sa_family = family;
	return to;
}

/*
 * Stores @pointer in a member of a copy. In newer kernels some members are declared const, since
 * only the VFS may change them. A copy may be changed, since nobody else reads it.
 */
static void set_member(const void *member, const void *pointer)
{
	memcpy((void *)member, &pointer, sizeof(pointer));
}

/*
 * Copies a dentry and its parents, @levels in all, which is what dentry_name() in vsprintf.c reads.
 */
static void *copy_dentries(struct wk_pointer_args *pointer_args, const struct dentry *from,
			   unsigned int levels)
{
	struct dentry *first = NULL, *child = NULL;

	for (unsigned int i = 0; i < levels; i++) {
		struct dentry *copy = take_room(pointer_args, sizeof(*copy)), *parent;
		const unsigned char *name;

		if (!copy || weft_read(&parent, &from->d_parent, sizeof(parent)) ||
		    weft_read(&name, &from->d_name.name, sizeof(name)))
			return bad();
		memset(copy, 0, sizeof(*copy));
		name = copy_string(pointer_args, name, NAME_MAX);
		if (IS_ERR(name))
			return bad();
		set_member(&copy->d_name.name, name);
		/*
		 * a root is its own parent; dentry_name() does not follow the parent of the last
		 * level
		 */
		copy->d_parent = parent == from ? copy : NULL;
		if (child)
			child->d_parent = copy;
		else
			first = copy;
		if (parent == from)
			break;
		child = copy;
		from = parent;
	}
	return first;
}

static void *copy_file(struct wk_pointer_args *pointer_args, const struct file *from,
		       unsigned int levels)
{
	struct file *copy = take_room(pointer_args, sizeof(*copy));
	struct dentry *dentry;

	if (!copy || weft_read(&dentry, &from->f_path.dentry, sizeof(dentry)))
		return bad();
	dentry = copy_dentries(pointer_args, dentry, levels);
	if (IS_ERR(dentry))
		return bad();
	memset(copy, 0, sizeof(*copy));
	set_member(&copy->f_path.dentry, dentry);
	return copy;
}

/* Returns how many bytes vsprintf.c reads for this conversion; 0: none. */
static size_t size_of(const struct wr_conversion *conversion)
{
	int width = conversion->width;
	char second = conversion->second;

	switch (conversion->extension) {
	case 'R':
	case 'r':
		return sizeof(struct resource);
	case 'h':
		return clamp(width < 0 ? 1 : width, 0, (int)HEX_MAX);
	case 'E':
		return width < 0 ? 1 : width;
	case 'b':
		return BITS_TO_LONGS(max(width, 0)) * sizeof(long);
	case 'M':
	case 'm':
		return ETH_ALEN;
	case 'I':
	case 'i':
		return second == '4' ? IPV4_SIZE : second == '6' ? sizeof(struct in6_addr) : 0;
	case 'U':
		return sizeof(uuid_t);
	case 'N':
		return sizeof(netdev_features_t);
	case '4':
		return sizeof(u32);
	case 'a':
		return sizeof(phys_addr_t);
	case 't':
		return second == 'R' ? sizeof(struct rtc_time) : sizeof(time64_t);
	case 'G':
		return second == 'g' ? sizeof(gfp_t) : sizeof(unsigned long);
	}
	return 0;
}

/*
 * Returns the pointer that is passed to vsprintf.c in place of @pointer. A pointer that vsprintf.c
 * itself reports as bad (NULL, an error pointer) is passed on as it is.
 */
static void *replace(struct wk_pointer_args *pointer_args, const struct wr_conversion *conversion,
		     void *pointer)
{
	char second = conversion->second;
	unsigned int levels = second >= '2' && second <= '0' + PARENTS_MAX ? second - '0' : 1;

	if (conversion->type != 's' && (conversion->type != 'p' || !conversion->extension ||
					wr_is_one_of(conversion->extension, WR_POINTERS_PLAIN)))
		return pointer;
	if ((unsigned long)pointer < PAGE_SIZE || IS_ERR(pointer))
		return pointer;
	switch (conversion->type == 's' ? 's' : conversion->extension) {
	case 's':
	case 'u': /* %pus and %pks: strings in BPF's formats, which name the address space */
	case 'k':
		return copy_string(pointer_args, pointer, conversion->precision);
	case 'd':
		return copy_dentries(pointer_args, pointer, levels);
	case 'D':
		return copy_file(pointer_args, pointer, levels);
	case 'i':
	case 'I':
		if (second == 'S')
			return copy_address(pointer_args, pointer);
	}
	return copy_bytes(pointer_args, pointer, size_of(conversion));
}

bool wk_pointer_args_take(struct wk_pointer_args *pointer_args, const char *format,
			  const u64 *passed)
{
	struct wr_conversion conversion;
	unsigned int n = 0;
	u64 *arguments = pointer_args->arguments;

	memset(arguments, 0, sizeof(pointer_args->arguments));
	pointer_args->used = 0;
	for (; (format = strchr(format, '%')); format = conversion.end) {
		if (!wr_conversion_parse(format, &conversion) ||
		    n + wr_conversion_arguments(&conversion) > WR_ARGUMENTS_MAX)
			return false;
		if (conversion.width_is_argument) {
			int width = clamp((int)*passed++, -WIDTH_MOST, +WIDTH_MOST);

			arguments[n++] = width;
			/* vsprintf.c takes a negative width as the flag '-' */
			conversion.width = abs(width);
		}
		if (conversion.precision_is_argument)
			conversion.precision = max(0, (int)(arguments[n++] = (int)*passed++));
		if (conversion.type != '%')
			arguments[n++] = (u64)replace(pointer_args, &conversion, (void *)*passed++);
	}
	return true;
}
