// SPDX-License-Identifier: GPL-2.0-or-later
/* A module of the golden tests: it calls the kernel and the other module; its name has a dash. */
#include "parcel.h"

static int __attribute__((noipa)) check(const struct parcel *parcel)
{
	return parcel->deliver && parcel_weight(parcel) > (unsigned int)carried;
}

int warehouse_store(struct parcel *parcel, struct packet *packet);
int warehouse_store(struct parcel *parcel, struct packet *packet)
{
	if (packet_grow(packet, 1) < parcel->weight)
		carrier_take(parcel, packet);
	if (!check(parcel))
		return 0;
	parcel->weight = 0;
	return parcel->deliver(parcel);
}
