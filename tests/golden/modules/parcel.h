/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A struct, and a function in a header, that the two modules share. It is never run. */
struct parcel {
	struct parcel *next;
	unsigned int weight;
	int (*deliver)(struct parcel *parcel);
};

static inline unsigned int parcel_weight(const struct parcel *parcel)
{
	return parcel->weight;
}

/* Exports of the kernel (tests/golden/points/sample.c). */
struct packet;
void packet_free(struct packet *packet);
unsigned int packet_grow(struct packet *packet, unsigned int more);

/* Exports of the module carrier. */
extern int carried;
void carrier_take(struct parcel *parcel, struct packet *packet);
