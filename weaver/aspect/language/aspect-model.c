// SPDX-License-Identifier: GPL-2.0-or-later
/* The model of an aspect; see aspect-model.h. */
#include <stdlib.h>

#include "aspect/language/aspect-model.h"

void wv_aspect_set_filtered(struct wv_aspect *aspect)
{
	aspect->filtered = true;
	wv_vec_for_each(metric, &aspect->metrics)
		(*metric)->guarded = true;
}

static void filter_destroy(struct wv_hit_filter *filter)
{
	wv_vec_for_each(comm, &filter->comms)
		free(*comm);
	wv_vec_deinit(&filter->comms);
	wv_vec_deinit(&filter->pids);
	wv_vec_deinit(&filter->uids);
	free(filter);
}

void wv_aspect_destroy(struct wv_aspect *aspect)
{
	if (!aspect)
		return;
	wv_vec_for_each(include, &aspect->includes)
		free(include->header);
	wv_vec_for_each(pointcut, &aspect->pointcuts) {
		free(pointcut->name);
		free(pointcut->program);
		wv_pick_destroy(pointcut->pick);
		wv_vec_deinit(&pointcut->flows);
		wv_vec_for_each(use, &pointcut->tagged) {
			free(use->name);
			wv_aspect_code_deinit(&use->object);
		}
		wv_vec_deinit(&pointcut->tagged);
	}
	wv_vec_for_each(flow, &aspect->flows)
		free(flow->function);
	wv_vec_deinit(&aspect->flows);
	wv_vec_for_each(tag, &aspect->tags) {
		free(tag->name);
		free(tag->object_text);
		wv_aspect_code_deinit(&tag->object);
		wv_aspect_code_deinit(&tag->until_object);
		wv_aspect_code_deinit(&tag->condition);
	}
	wv_vec_deinit(&aspect->tags);
	wv_vec_for_each(awake, &aspect->awake)
		free(awake->function);
	wv_vec_deinit(&aspect->awake);
	wv_vec_for_each(advice, &aspect->advices)
		wv_aspect_code_deinit(&advice->code);
	wv_vec_for_each(declare, &aspect->declares)
		wv_aspect_code_deinit(declare);
	wv_aspect_code_deinit(&aspect->start);
	wv_aspect_code_deinit(&aspect->end);
	wv_vec_for_each(metric, &aspect->metrics)
		wv_metric_destroy(*metric);
	wv_vec_for_each(task, &aspect->tasks) {
		free(task->name);
		wv_aspect_code_deinit(&task->type);
	}
	wv_vec_deinit(&aspect->tasks);
	wv_vec_for_each(filter, &aspect->filters)
		filter_destroy(*filter);
	wv_vec_deinit(&aspect->filters);
	wv_vec_deinit(&aspect->metrics);
	wv_vec_deinit(&aspect->declares);
	wv_vec_deinit(&aspect->includes);
	wv_vec_deinit(&aspect->pointcuts);
	wv_vec_deinit(&aspect->advices);
	wv_xml_destroy(aspect->xml);
	free(aspect->path);
	free(aspect->name);
	free(aspect);
}
