// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens the programs of an aspect; see aspect-programs.h. */
#include "module/aspect-programs.h"
#include "module/program-database.h"

/* Adds to @error, which is about a program, the place in the aspect that names the program. */
static int at_program(const struct wv_aspect *aspect, const struct wv_aspect_pointcut *pointcut,
		      struct wv_error *error)
{
	const struct wv_error plain = *error;

	if (plain.file[0])
		return wv_fail_at(error, plain.code, aspect->path, pointcut->program_location.line,
				  pointcut->program_location.column, "%s: %s", plain.file,
				  plain.message);
	return wv_fail_at(error, plain.code, aspect->path, pointcut->program_location.line,
			  pointcut->program_location.column, "%s", plain.message);
}

int wv_aspect_programs_open(const struct wv_aspect *aspect, struct wv_programs *programs,
			    struct wv_error *error)
{
	wv_vec_for_each(advice, &aspect->advices) {
		const struct wv_aspect_pointcut *pointcut =
			&aspect->pointcuts.data[advice->pointcut];
		char database[PATH_MAX];
		int ret;

		if (!pointcut->program || wv_programs_find(programs, pointcut->program))
			continue;
		ret = wv_program_database(pointcut->program, database, error);
		if (!ret)
			ret = wv_programs_add(programs, pointcut->program, database, error);
		if (ret)
			return at_program(aspect, pointcut, error);
	}
	return 0;
}
