// SPDX-License-Identifier: GPL-2.0-or-later
/* Do the functions that write text and synchronise all CPUs begin with smp_ (6.16)? */
#include <linux/module.h>
#include <asm/text-patching.h>

void smp_text_poke(void *address, const void *bytes);

void smp_text_poke(void *address, const void *bytes)
{
	smp_text_poke_batch_add(address, bytes, 5, NULL);
	smp_text_poke_batch_finish();
	smp_text_poke_sync_each_cpu();
}
