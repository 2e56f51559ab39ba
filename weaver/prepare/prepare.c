// SPDX-License-Identifier: GPL-2.0-or-later
/* The state of a preparation; see prepare.h. */
#include <stdlib.h>
#include <unistd.h>

#include "prepare/prepare.h"

void wv_prepared_image_deinit(struct wv_prepared_image *image)
{
	free(image->path);
	wv_vec_deinit(&image->units);
}

void wv_prepare_init(struct wv_prepare *prepare)
{
	*prepare = (struct wv_prepare){ .lock = -1 };
}

void wv_prepare_deinit(struct wv_prepare *prepare)
{
	if (prepare->lock >= 0)
		close(prepare->lock);
	wv_str_deinit(&prepare->release_found);
	wv_str_deinit(&prepare->version);
	wv_str_deinit(&prepare->source_found);
	wv_str_deinit(&prepare->image_found);
	wv_str_deinit(&prepare->config_found);
	wv_str_deinit(&prepare->compiler_found);
	wv_str_deinit(&prepare->plugin_found);
	wv_str_deinit(&prepare->banner);
	wv_str_deinit(&prepare->kernel_version);
	wv_vec_for_each(image, &prepare->images)
		wv_prepared_image_deinit(image);
	wv_vec_deinit(&prepare->images);
	wv_module_files_deinit(&prepare->module_files);
	wv_str_deinit(&prepare->source_root);
	wv_pool_deinit(&prepare->units);
	wv_vec_deinit(&prepare->chosen);
}
