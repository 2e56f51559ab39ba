/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recipe: the commands by which kbuild makes a module for one kernel, so that a module can be
 * made without kbuild. It is a folder: the file "recipe", and two headers with what every module
 * includes, each precompiled. The commands are kbuild's own, learned from a run of it
 * (recipe-learn.h) and proven there: they make the same module, byte for byte.
 *
 * A recipe is valid as long as all that kbuild would read is as it was: the headers, the makefiles,
 * the configuration, the compiler and its neighbours. Sizes and times of these files are in it.
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

/* The steps, in their order. */
enum wv_recipe_step {
	WV_RECIPE_SOURCE, /* the compiler, and what works on its object file, such as objtool */
	WV_RECIPE_MODPOST,
	WV_RECIPE_SECOND, /* the compiler on what modpost has written */
	WV_RECIPE_LINK,
	WV_RECIPE_STEPS
};

/*
 * What a module's name and folders are in words and texts of a recipe. No file that kbuild can work
 * with has these bytes in its name.
 */
#define WV_RECIPE_FOLDER '\001' /* the folder in which the module is made */
#define WV_RECIPE_NAME '\002'   /* the module's name */
#define WV_RECIPE_OWN '\003'    /* the recipe's own folder */
/* Before "+N;" and "-N;": that number and the length of the name, added or taken away. */
#define WV_RECIPE_LENGTH '\004'

/* Headers in the recipe's folder: of the source, and of what modpost writes. */
#define WV_RECIPE_HEADER "aspect.h"
#define WV_RECIPE_SECOND_HEADER "second.h"

/* Texts; with the bytes above. */
enum wv_recipe_text {
	WV_RECIPE_NAMES, /* what is defined by the module's name, for the source */
	WV_RECIPE_SECOND_NAMES,
	WV_RECIPE_OBJECTS, /* the file NAME.mod */
	WV_RECIPE_LIST,	   /* the modules that modpost is given */
	/*
	 * what modpost writes for most modules, and what the compiler makes of that; empty: the
	 * compiler has to be run
	 */
	WV_RECIPE_SECOND_SOURCE,
	WV_RECIPE_ASSEMBLY,
	WV_RECIPE_TEXTS
};

/* A file that a module depends on, as it was when the recipe was learned. */
struct wv_recipe_file {
	char *path; /* absolute, or in the recipe's folder */
	long long size, modified, changed; /* times in nanoseconds */
};

/* A program that is called by its name alone, and where it was found. */
struct wv_recipe_program {
	char *name, *path;
};

/* All zero: empty. Strings are owned. */
struct wv_recipe {
	char *own;	 /* its folder */
	char *reason;	 /* why kbuild's way cannot be learned here; NULL: it can */
	char *directory; /* where the commands run; with the bytes above */
	wv_commands steps[WV_RECIPE_STEPS];
	struct wv_str texts[WV_RECIPE_TEXTS];
	WV_VEC(struct wv_recipe_file) files;
	WV_VEC(struct wv_recipe_program) programs;
};

void wv_recipe_deinit(struct wv_recipe *recipe);

/*
 * Reads the recipe in the folder @own. False: there is none, it is damaged, it is for other folders
 * than @folders or of another weft, or what it was learned from has changed.
 */
bool wv_recipe_read(struct wv_recipe *ret, const char *own,
		    const struct wv_kbuild_folders *folders);

/* Writes it to the folder @own, which must exist. */
int wv_recipe_write(const struct wv_recipe *recipe, const char *own,
		    const struct wv_kbuild_folders *folders, struct wv_error *error);

/* Adds the file, as it is now; nothing if it is there already, or no file. */
int wv_recipe_add_file(struct wv_recipe *recipe, const char *path, struct wv_error *error);

/* Adds the program @name, and where it is. -WV_E_FAILURE: it is nowhere in PATH. */
int wv_recipe_add_program(struct wv_recipe *recipe, const char *name, struct wv_error *error);

/* Adds @text to @ret, with the names of a module in the place of the bytes that stand for them. */
void wv_recipe_expand(const struct wv_recipe *recipe, const char *text, const char *folder,
		      const char *name, struct wv_str *ret);

/* A name that belongs to the recipe for @folders: 16 hexadecimal digits. */
void wv_recipe_key(const struct wv_kbuild_folders *folders, char ret[17]);

#endif /* WV_RECIPE_H */
