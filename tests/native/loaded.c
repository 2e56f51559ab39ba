// SPDX-License-Identifier: GPL-2.0-or-later
/* Loads and analyses the libraries (declared in loaded.h). */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "loaded.h"
#include "trap.h"
#include "work.h"

uint64_t loaded_random(struct loaded *loaded)
{
	loaded->random ^= loaded->random << 13;
	loaded->random ^= loaded->random >> 7;
	loaded->random ^= loaded->random << 17;
	return loaded->random;
}

struct loaded *loaded_create(void)
{
	static const char *const names[LIBRARIES] = { "libz.so.1", "libcrypto.so.3",
						      "libsqlite3.so.0" };
	struct loaded *loaded = calloc(1, sizeof(*loaded));
	const char *seed = getenv("WEFT_SEED");
	struct wv_error error;

	if (!loaded || wv_decoder_create(&loaded->decoder, &error))
		err(2, "libraries");
	loaded->random = seed && *seed ? strtoull(seed, NULL, 0)
				       : (unsigned long)time(NULL) * 0x9e3779b97f4a7c15;
	printf("WEFT_SEED=%#lx\n", (unsigned long)loaded->random);
	loaded->random |= 1;
	loaded->cpu = cpu_create();
	trap_init();
	trap_thread_init();
	work_init();
	for (size_t i = 0; i < LIBRARIES; i++) {
		library_init(&loaded->libraries[i], names[i], loaded->decoder);
		bodies_add(&loaded->bodies, &loaded->libraries[i], loaded->decoder);
		weave_open_text(&loaded->libraries[i]);
	}
	return loaded;
}

void loaded_destroy(struct loaded *loaded)
{
	for (size_t i = 0; i < LIBRARIES; i++)
		library_deinit(&loaded->libraries[i]);
	bodies_deinit(&loaded->bodies);
	wv_decoder_destroy(loaded->decoder);
	free(loaded);
}

uint64_t loaded_text(const struct loaded *loaded)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < LIBRARIES; i++)
		sum = work_add(sum, (void *)(uintptr_t)loaded->libraries[i].text,
			       loaded->libraries[i].text_size);
	return sum;
}

void loaded_weave_all(struct loaded *loaded, struct weave *weave, enum advice advice,
		      const char *library, uint32_t forget)
{
	uint8_t *advices = malloc(BODY_MAX);

	memset(advices, advice, BODY_MAX);
	weave_init(weave, loaded->libraries[0].base, AREA);
	weave->forget = forget;
	wv_vec_for_each(body, &loaded->bodies.list)
		if (!library || !strcmp(body->library->name, library))
			weave_add(weave, body, advices);
	free(advices);
}

void loaded_weave_random(struct loaded *loaded, struct weave *weave, uint32_t without)
{
	enum { DENSITIES = 4, CHOICE = CLOBBER_FRAME };
	uint8_t *advices = malloc(BODY_MAX);

	weave_init(weave, loaded->libraries[0].base, AREA);
	weave->platform.flags &= ~without;
	wv_vec_for_each(body, &loaded->bodies.list) {
		unsigned int density = 1 + loaded_random(loaded) % DENSITIES;

		for (size_t i = 0; i < body->n; i++)
			advices[i] = loaded_random(loaded) % DENSITIES <= density
					     ? COUNTER + loaded_random(loaded) % CHOICE
					     : NO_SHADOW;
		weave_add(weave, body, advices);
	}
	free(advices);
}
