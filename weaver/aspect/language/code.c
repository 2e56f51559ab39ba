// SPDX-License-Identifier: GPL-2.0-or-later
/* Frees a piece of C; see code.h. */
#include <stdlib.h>

#include "aspect/language/code.h"

void wv_aspect_code_deinit(struct wv_aspect_code *code)
{
	wv_xml_text_deinit(&code->text);
	wv_vec_for_each(named, &code->named)
		free(named->name);
	wv_vec_deinit(&code->named);
	wv_vec_for_each(named, &code->tasks)
		free(named->name);
	wv_vec_deinit(&code->tasks);
}
