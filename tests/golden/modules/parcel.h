/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two modules have in common: a struct, and a function in a header. Never run. */
struct parcel {
	struct parcel *next;
	unsigned int weight;
	int (*deliver)(struct parcel *parcel);
};

static inline unsigned int parcel_weight(const struct parcel *parcel)
{
	return parcel->weight;
}

/* What the kernel (tests/golden/points/sample.c) exports. */
struct packet;
void packet_free(struct packet *packet);
unsigned int packet_grow(struct packet *packet, unsigned int more);

/* What the module carrier exports. */
extern int carried;
void carrier_take(struct parcel *parcel, struct packet *packet);
