// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the reason of a denial from files in /proc and /sys; see privilege.h. */
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "live/privilege.h"

/* The number of the initial user namespace, which is a constant of the kernel (proc_ns.h). */
static const char initial_namespace[] = "user:[4026531837]";

bool wv_has_capability(int capability)
{
	static const char key[] = "CapEff:";
	unsigned long long effective = 0;
	FILE *file = fopen("/proc/self/status", "re");
	char line[256];

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, key, strlen(key)))
			effective = strtoull(line + strlen(key), NULL, 16);
	if (file)
		fclose(file);
	return effective & 1ull << capability;
}

static bool in_initial_namespace(void)
{
	char text[64];
	ssize_t n = readlink("/proc/self/ns/user", text, sizeof(text) - 1);

	/* A kernel without user namespaces has no such file. */
	return n <= 0 || (text[n] = '\0', !strcmp(text, initial_namespace));
}

struct wv_denial wv_privilege_denial(void)
{
	if (!wv_has_capability(CAP_SYS_ADMIN))
		return (struct wv_denial){ "this needs root (CAP_SYS_ADMIN)", "run weft as root" };
	if (!in_initial_namespace())
		return (struct wv_denial){
			"this needs CAP_SYS_ADMIN of the machine, not of a user namespace",
			"run weft as root outside of the container or user namespace"
		};
	return (struct wv_denial){ 0 };
}

struct wv_denial wv_lockdown_denial(void)
{
	FILE *file = fopen("/sys/kernel/security/lockdown", "re");
	char line[128] = "";

	if (file && !fgets(line, sizeof(line), file))
		line[0] = '\0';
	if (file)
		fclose(file);
	if (!strstr(line, "[confidentiality]"))
		return (struct wv_denial){ 0 };
	return (struct wv_denial){ "the kernel is locked down (confidentiality)",
				   "boot with lockdown=integrity, or without lockdown=" };
}
