/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recipe: the commands by which kbuild builds a module for one kernel. weft runs these commands
 * itself and so builds a module without kbuild. A recipe is a folder with the file "recipe" and two
 * precompiled headers, which contain what every module includes. The commands are read from a run
 * of kbuild (recipe-learn.h). A recipe is kept only if modules built by it are the same as
 * kbuild's, byte for byte.
 *
 * A recipe is valid as long as nothing that kbuild would read has changed: headers, makefiles, the
 * configuration, the compiler and the programs that it runs. The recipe stores the sizes and times
 * of these files.
 */
#ifndef WV_RECIPE_H
#define WV_RECIPE_H

#include <limits.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"
#include "module/build-commands.h"
#include "module/kbuild-make.h"

/* The steps, in the order in which they run. */
enum wv_recipe_step {
	WV_RECIPE_SOURCE, /* the compiler, then programs that change its object file (objtool) */
	WV_RECIPE_MODPOST,
	WV_RECIPE_SECOND, /* the compiler on the .mod.c that modpost has written */
	WV_RECIPE_LINK,
	WV_RECIPE_STEPS
};

/*
 * Placeholder bytes in a recipe's commands and texts. Each replaces a name that differs from module
 * to module. kbuild cannot work with file names that contain such bytes, so there is no confusion.
 */
#define WV_RECIPE_FOLDER '\001' /* the folder in which the module is made */
#define WV_RECIPE_NAME '\002'   /* the module's name */
#define WV_RECIPE_OWN '\003'    /* the recipe's own folder */
/*
 * Placeholder for a number that depends on the length of the module's name. After it comes "+N;",
 * for N plus the length, or "-N;", for N minus the length.
 */
#define WV_RECIPE_LENGTH '\004'

/* The headers in the recipe's folder: for the module's source, and for the .mod.c of modpost. */
#define WV_RECIPE_HEADER "aspect.h"
#define WV_RECIPE_SECOND_HEADER "second.h"

/* Texts of files that the steps read. They contain placeholder bytes. */
enum wv_recipe_text {
	WV_RECIPE_NAMES, /* the #defines that contain the module's name, for compiling its source */
	WV_RECIPE_SECOND_NAMES,
	WV_RECIPE_OBJECTS, /* the file NAME.mod: kbuild's list of the module's objects */
	WV_RECIPE_LIST,	   /* the list of modules that modpost reads */
	/*
	 * SECOND_SOURCE is the .mod.c that modpost writes for most modules, ASSEMBLY the assembler
	 * text that the compiler makes of it. If ASSEMBLY is empty, the compiler has to be run on
	 * each .mod.c.
	 */
	WV_RECIPE_SECOND_SOURCE,
	WV_RECIPE_ASSEMBLY,
	WV_RECIPE_TEXTS
};

/* A file that kbuild's modules depend on, as it was when the recipe was learned. */
struct wv_recipe_file {
	char *path; /* absolute, or in the recipe's folder */
	/* .size is in bytes. .modified and .changed are times in nanoseconds. */
	long long size, modified, changed;
};

/* A program that the commands call by its name, and the path where it was found in PATH. */
struct wv_recipe_program {
	char *name, *path;
};

/* All zero: empty. Strings are owned. */
struct wv_recipe {
	char *own;	 /* path of the recipe's folder */
	/* why a recipe cannot be learned for this kernel; NULL: the recipe is usable */
	char *reason;
	char *directory; /* the folder in which the commands run; may contain placeholder bytes */
	wv_commands steps[WV_RECIPE_STEPS];
	struct wv_str texts[WV_RECIPE_TEXTS];
	WV_VEC(struct wv_recipe_file) files;
	WV_VEC(struct wv_recipe_program) programs;
};

void wv_recipe_deinit(struct wv_recipe *recipe);

/*
 * Reads the recipe in the folder @own. Returns false if there is none that can be used:
 * - It is damaged.
 * - It was learned for other folders than @folders, or by another version of weft.
 * - A file that it depends on has changed.
 */
bool wv_recipe_read(struct wv_recipe *ret, const char *own,
		    const struct wv_kbuild_folders *folders);

/* Writes the recipe to the file "recipe" in the folder @own, which must exist. */
int wv_recipe_write(const struct wv_recipe *recipe, const char *own,
		    const struct wv_kbuild_folders *folders, struct wv_error *error);

/*
 * Adds the file @path with its present size and times. Does nothing if the recipe has it already,
 * or if there is no such file.
 */
int wv_recipe_add_file(struct wv_recipe *recipe, const char *path, struct wv_error *error);

/* Adds the program @name, and where it is. -WV_E_FAILURE: it is nowhere in PATH. */
int wv_recipe_add_program(struct wv_recipe *recipe, const char *name, struct wv_error *error);

/*
 * Adds @text to @ret, with the placeholder bytes replaced by the folder and the name of a module.
 */
void wv_recipe_expand(const struct wv_recipe *recipe, const char *text, const char *folder,
		      const char *name, struct wv_str *ret);

/* Sets @ret to the name of the cached recipe for @folders: 16 hexadecimal digits. */
void wv_recipe_key(const struct wv_kbuild_folders *folders, char ret[17]);

#endif /* WV_RECIPE_H */
