// SPDX-License-Identifier: GPL-2.0-or-later
/* A module of the golden tests: it calls the kernel, and has a variable of its own. */
#include "parcel.h"

int carried;

static int __attribute__((noipa)) check(const struct parcel *parcel)
{
	return parcel->next && parcel_weight(parcel) > 2;
}

void carrier_take(struct parcel *parcel, struct packet *packet)
{
	parcel->weight = packet_grow(packet, parcel_weight(parcel));
	if (check(parcel))
		carried++;
}

void carrier_drop(struct packet *packet);
void carrier_drop(struct packet *packet)
{
	carried--;
	packet_free(packet);
}
