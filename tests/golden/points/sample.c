// SPDX-License-Identifier: GPL-2.0-or-later
/* Accesses of every kind, in the shapes that kernel code has. Only for `weft points`; it is never run. */
struct list {
	struct list *next, *prev;
};

struct packet {
	struct list list;
	unsigned int length;
	unsigned int cloned : 1, users : 7;
	union {
		void (*destructor)(struct packet *packet);
		unsigned long cookie;
	};
	unsigned char data[8];
};

struct common {
	int state;
	int count;
};

struct socket {
	struct common common;
#define socket_state common.state
	struct packet *queue;
};

typedef struct {
	int counter;
} counter_t;

struct operations {
	int (*open)(struct socket *socket);
	int (*release)(struct socket *socket);
};

struct device {
	const struct operations *operations;
	counter_t users;
};

void __fentry__(void);
void __fentry__(void)
{
}

/* Is inlined into many functions, as functions of kernel headers are. */
static inline unsigned int packet_length(const struct packet *packet)
{
	return packet->length;
}

void packet_free(struct packet *packet);
void packet_free(struct packet *packet)
{
	packet->list.next->prev = packet->list.prev;
	if (packet->destructor)
		packet->destructor(packet);
}

unsigned int packet_grow(struct packet *packet, unsigned int more);
unsigned int packet_grow(struct packet *packet, unsigned int more)
{
	packet->length += more;
	packet->cloned = 1;
	return packet_length(packet) + packet->data[2];
}

unsigned char *packet_data(struct packet *packet);
unsigned char *packet_data(struct packet *packet)
{
	return &packet->data[packet_length(packet)];
}

int socket_set(struct socket *socket, int state);
int socket_set(struct socket *socket, int state)
{
	int old = socket->socket_state;

	socket->socket_state = state;
	socket->common.count++;
	return old;
}

int device_open(struct device *device, struct socket *socket);
int device_open(struct device *device, struct socket *socket)
{
	int (*open)(struct socket *) = device->operations->open;

	device->users.counter++;
	return open(socket) + device->operations->release(socket);
}

static int noop(struct socket *socket)
{
	return 0;
}

const struct operations noop_operations = {
	.open = noop,
	.release = noop,
};

struct gate {
	int passed;
};

/* Stores in a loop, which cannot be moved into the expression of a caller. */
static inline void gate_count(struct gate *gate, int n)
{
	for (int i = 0; i < n; i++)
		*(volatile int *)&gate->passed = i;
}

void gate_open(struct gate *gate, int n);
void gate_open(struct gate *gate, int n)
{
	gate_count(gate, n);
}

int gate_pass(struct gate *gate);
int gate_pass(struct gate *gate)
{
	gate_count(gate, 2);
	return 1;
}

struct shared {
	unsigned char state;
	unsigned char reuse : 4, port : 1;
};

struct door {
	long number;
	struct shared shared;
};

/* GCC reads a bitfield of a nested struct by a reference to the struct. */
int door_port(const struct door *door);
int door_port(const struct door *door)
{
	return door->shared.port;
}

/* The same definition as in the kernel's include/linux/types.h. */
#define rcu_head callback_head
struct rcu_head {
	void (*func)(struct rcu_head *head);
};

struct holder {
	int number;
	struct rcu_head rcu_head;
};

int holder_free(struct holder *holder, void (*func)(struct rcu_head *head));
int holder_free(struct holder *holder, void (*func)(struct rcu_head *head))
{
	struct {
		int sym;
	} *table = (void *)holder;

	holder->rcu_head.func = func;
	return table->sym;
}

/* Writes the bytes of a union by one name, reads and calls them by the other. */
void cookie_forget(struct packet *packet);
void cookie_forget(struct packet *packet)
{
	packet->cookie = 0;
}

/* Has the name of a part that the compiler has left of a function. */
int halved(int n) __asm__("halved.part.0");
int halved(int n)
{
	return n + 1;
}

struct turnstile {
	struct common common;
	int count;
};

/* There are two members `count`; turnstile.count is the struct's own. */
void turnstile_turn(struct turnstile *turnstile);
void turnstile_turn(struct turnstile *turnstile)
{
	turnstile->count = turnstile->common.count;
}

/* The function of a tracepoint, as its macros define it. */
int __traceiter_packet_seen(void *data, struct packet *packet, int why);
int __traceiter_packet_seen(void *data, struct packet *packet, int why)
{
	return why;
}

/* Makes a call under an `if`, and then something after it. */
long door_try(const struct door *door, void (*try)(const struct door *door), volatile long *tried);
long door_try(const struct door *door, void (*try)(const struct door *door), volatile long *tried)
{
	if (try)
		try(door);
	*tried = 1;
	*tried = 2;
	return *tried;
}

/* The version that the database says it was made of. */
const char linux_banner[] = "Linux version 6.12.7-sample (nobody@nowhere) #1\n";
