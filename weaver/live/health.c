// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The checks of `weft doctor`, one function each; see health.h. They are in the order in which a
 * machine is set up for weft.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>

#include "base/cleanup.h"
#include "base/notation.h"
#include "database/db.h"
#include "live/privilege.h"
#include "live/requests.h"
#include "live/health.h"
#include "live/installed.h"
#include "live/running-kernel.h"

/* Input of the checks; collected once. */
struct machine {
	struct utsname uts;
	/* the configuration of the kernel that is checked, as text; NULL: it cannot be read */
	char *config;
	const char *kernel, *db; /* of struct wv_health_subject */
	struct wv_system system; /* the system and the kernel whose files are checked */
	bool live;		 /* the system is this machine, and the kernel is the running one */
	uint8_t build_id[64];	 /* of the running kernel */
	size_t build_id_size;	 /* in bytes; 0: the build-id is not known */
};

/* Sets @text to the first line of a file of /sys or /proc. Returns false if there is none. */
static bool read_line(const char *path, char *text, size_t size)
{
	_cleanup_fclose_ FILE *file = fopen(path, "re");

	if (!file || !fgets(text, size, file))
		return false;
	text[strcspn(text, "\n")] = '\0';
	return true;
}

/*
 * Returns the kernel's configuration as text, which the caller frees; NULL if it cannot be read.
 * zlib also reads files that are not compressed, so it can read /proc/config.gz and /boot/config-*.
 */
static char *read_config(const struct wv_system *system, bool live)
{
	/* Names of the file: in Debian's packages, and in packages of newer kernels. */
	static const char *const names[] = { "%s/boot/config-%s", "%s/usr/lib/modules/%s/config" };
	enum { CONFIG_MAX = 1 << 20 };
	char path[PATH_MAX], *text;
	gzFile file = live ? gzopen("/proc/config.gz", "rb") : NULL;
	int n;

	for (size_t i = 0; !file && i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), names[i], system->root, system->release);
		file = gzopen(path, "rb");
	}
	if (!file)
		return NULL;
	text = malloc(CONFIG_MAX);
	n = text ? gzread(file, text, CONFIG_MAX - 1) : -1;
	gzclose(file);
	if (n <= 0) {
		free(text);
		return NULL;
	}
	text[n] = '\0';
	return text;
}

/* Returns whether the configuration has the line "@name=y" or "@name=m". */
static bool has_option(const char *config, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = config; (at = strstr(at, name)); at += n)
		if ((at == config || at[-1] == '\n') && at[n] == '=' &&
		    (at[n + 1] == 'y' || at[n + 1] == 'm'))
			return true;
	return false;
}

/* ---- checking the machine -------------------------------------------------------------------- */

static void check_privilege(const struct machine *machine, struct wv_health_check *check)
{
	struct wv_denial denial = wv_privilege_denial();

	if (denial.found)
		wv_health_set(check, WV_HEALTH_MISSING, denial.remedy, "user %u: %s",
			   (unsigned int)geteuid(), denial.found);
	else
		wv_health_set(check, WV_HEALTH_OK, "", "root");
}

static void check_architecture(const struct machine *machine, struct wv_health_check *check)
{
	bool fits = !strcmp(machine->uts.machine, "x86_64");

	wv_health_set(check, fits ? WV_HEALTH_OK : WV_HEALTH_MISSING,
		   fits ? "" : "weft knows x86_64 only", "%s, Linux %s", machine->uts.machine,
		   machine->uts.release);
}

const char *const wv_health_options[] = {
	"CONFIG_MODULES",	"CONFIG_MODULE_UNLOAD", "CONFIG_KPROBES",
	"CONFIG_KALLSYMS",	"CONFIG_KALLSYMS_ALL",	"CONFIG_RING_BUFFER",
	"CONFIG_BINARY_PRINTF", "CONFIG_DYNAMIC_FTRACE_WITH_REGS", "CONFIG_SMP",
	NULL
};

static void check_config(const struct machine *machine, struct wv_health_check *check)
{
	char missing[256] = "";

	if (!machine->config) {
		wv_health_set(
			check, WV_HEALTH_WARNING,
			"enable CONFIG_IKCONFIG_PROC or install the kernel's config file in /boot",
			"the running kernel's configuration cannot be found");
		return;
	}
	for (const char *const *wanted = wv_health_options; *wanted; wanted++) {
		if (has_option(machine->config, *wanted))
			continue;
		strcat(missing, missing[0] ? " " : "");
		strcat(missing, *wanted);
	}
	if (missing[0])
		wv_health_set(check, WV_HEALTH_MISSING, "build the kernel with these options",
			   "without %s", missing);
	else
		wv_health_set(check, WV_HEALTH_OK, "", "all needed options are on");
}

static bool is_locked_down(void)
{
	char text[128];

	return read_line("/sys/kernel/security/lockdown", text, sizeof(text)) &&
	       !strstr(text, "[none]");
}

static void check_lockdown(const struct machine *machine, struct wv_health_check *check)
{
	struct wv_denial denial = wv_lockdown_denial();
	char text[128];

	if (denial.found)
		wv_health_set(check, WV_HEALTH_MISSING, denial.remedy,
			   "%s: its text may be neither read nor changed", denial.found);
	else if (!read_line("/sys/kernel/security/lockdown", text, sizeof(text)))
		wv_health_set(check, WV_HEALTH_OK, "", "none");
	else if (strstr(text, "[none]"))
		wv_health_set(check, WV_HEALTH_OK, "", "off");
	else
		wv_health_set(check, WV_HEALTH_OK, "", "%s: modules need a signature", text);
}

static void check_signatures(const struct machine *machine, struct wv_health_check *check)
{
	bool enforced = is_locked_down();
	char text[16];

	if (machine->live &&
	    read_line("/sys/module/module/parameters/sig_enforce", text, sizeof(text)) &&
	    text[0] == 'Y')
		enforced = true;
	wv_installed_key(&machine->system, machine->live && enforced, check);
}

static void check_module(const struct machine *machine, struct wv_health_check *check)
{
	if (machine->live && !access("/sys/module/weft", F_OK) &&
	    !wv_has_module(&machine->system)) {
		wv_health_set(check, WV_HEALTH_OK, "", "loaded, and not installed for %.65s",
			      machine->system.release);
		return;
	}
	wv_installed_module(&machine->system, check);
}

static void check_debug(const struct machine *machine, struct wv_health_check *check)
{
	wv_installed_debug(&machine->system, check);
}

static void check_source(const struct machine *machine, struct wv_health_check *check)
{
	wv_installed_source(&machine->system, check);
}

static void check_plugin(const struct machine *machine, struct wv_health_check *check)
{
	wv_installed_plugin(&machine->system, check);
}

static void check_kmod(const struct machine *machine, struct wv_health_check *check)
{
	struct wv_device device;
	struct wv_error error;

	if (!wv_device_open(&device, &error)) {
		wv_health_set(check, WV_HEALTH_OK, "", "loaded, protocol %u, %s", device.info.abi,
			   wv_count_text(device.info.nr_aspects, "aspect").text);
		wv_device_close(&device);
		return;
	}
	if (!access("/sys/module/weft", F_OK))
		wv_health_set(check, WV_HEALTH_MISSING,
			      error.code == WV_E_PRIVILEGE ? "" : "modprobe -r weft; modprobe weft",
			      "%.200s", error.message);
	else if (wv_has_module(&machine->system))
		wv_health_set(check, WV_HEALTH_OK, "", "not yet: `weft weave` loads it");
	else
		wv_health_set(check, WV_HEALTH_MISSING, "build weft.ko for this kernel (above)",
			      "weft.ko is not loaded");
}

/*
 * Reports how many kprobes weft.ko has refused, and how many it has kept from being optimized. This
 * tells a user why a kprobe was refused or is slow.
 */
static void check_kprobes(const struct machine *machine, struct wv_health_check *check)
{
	struct wv_device device;
	struct wv_error error;

	if (wv_device_open(&device, &error)) {
		wv_health_set(check, WV_HEALTH_OK, "", "not known: weft.ko does not answer");
		return;
	}
	wv_health_set(check, WV_HEALTH_OK, "",
		   "%llu refused on displaced instructions, %llu not optimized in woven functions",
		   (unsigned long long)device.info.kprobes_refused,
		   (unsigned long long)device.info.kprobes_unoptimized);
	wv_device_close(&device);
}

static void check_faults(const struct machine *machine, struct wv_health_check *check)
{
	struct wv_statuses statuses;
	struct wv_device device;
	struct weft_fault fault;
	struct wv_error error;
	size_t n = 0;

	wv_health_set(check, WV_HEALTH_OK, "", "no advice has faulted");
	if (wv_device_open(&device, &error))
		return;
	if (!wv_device_list(&device, &statuses, &error)) {
		wv_vec_for_each(status, &statuses.list) {
			if (!wv_device_fault(&device, status->name, &fault) || n++)
				continue;
			wv_health_set(check, WV_HEALTH_WARNING,
				   "`weft list` shows the stack; mend the advice",
				   "%s of %s faulted, and is unwoven: %s at %.*s", status->name,
				   wv_source_text(fault.file, fault.line, 0).text, fault.kind,
				   (int)strcspn(fault.stack, "\n"), fault.stack);
		}
		wv_statuses_deinit(&statuses);
	}
	wv_device_close(&device);
}

static bool in_path(const char *tool)
{
	const char *path = getenv("PATH");
	char candidate[512];

	while (path && *path) {
		size_t n = strcspn(path, ":");

		snprintf(candidate, sizeof(candidate), "%.*s/%s", (int)n, path, tool);
		if (!access(candidate, X_OK))
			return true;
		path += n + (path[n] == ':');
	}
	return false;
}

static void check_tools(const struct machine *machine, struct wv_health_check *check)
{
	static const char *const tools[] = { "make", "gcc", "ld" };
	char missing[64] = "";

	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		if (in_path(tools[i]))
			continue;
		strcat(missing, missing[0] ? " " : "");
		strcat(missing, tools[i]);
	}
	if (missing[0])
		wv_health_set(
			check, WV_HEALTH_WARNING,
			"install them to compile aspects on this machine (apt-get install make gcc "
			"binutils)",
			"without %s", missing);
	else
		wv_health_set(check, WV_HEALTH_OK, "", "make, gcc, ld");
}

static void check_headers(const struct machine *machine, struct wv_health_check *check)
{
	char path[PATH_MAX], remedy[256];

	if (machine->kernel)
		snprintf(path, sizeof(path), "%s/Module.symvers", machine->kernel);
	else
		snprintf(path, sizeof(path), "%s/lib/modules/%s/build/Module.symvers",
			 machine->system.root, machine->system.release);
	if (!access(path, R_OK)) {
		wv_health_set(check, WV_HEALTH_OK, "", "%.*s", (int)(strrchr(path, '/') - path),
			      path);
		return;
	}
	snprintf(remedy, sizeof(remedy),
		 "apt install linux-headers-%.65s, or name a built kernel with --kernel, to "
		 "compile aspects here",
		 machine->system.release);
	wv_health_set(check, WV_HEALTH_WARNING, remedy, "no %.200s", path);
}

static void check_build_id(const struct machine *machine, struct wv_health_check *check)
{
	char text[2 * sizeof(machine->build_id) + 1];

	if (!machine->build_id_size) {
		wv_health_set(check, WV_HEALTH_MISSING,
			   "build the kernel with a build-id (ld --build-id)",
			   "the running kernel shows none");
		return;
	}
	wv_build_id_text(machine->build_id, machine->build_id_size, text);
	wv_health_set(check, WV_HEALTH_OK, "", "%s", text);
}

static void check_database(const struct machine *machine, struct wv_health_check *check)
{
	char text[2 * sizeof(machine->build_id) + 1];
	struct wv_error error;
	struct wv_db *db;
	const uint8_t *id;
	size_t size;

	if (!machine->db) {
		wv_health_set(check, WV_HEALTH_WARNING,
			      "weft prepare --for STRUCT.MEMBER; of a kernel that was built with "
			      "the plugin, weft index VMLINUX -o DB",
			      "none of %.65s", machine->uts.release);
		return;
	}
	if (wv_db_open(machine->db, &db, &error)) {
		wv_health_set(check, WV_HEALTH_MISSING,
			      "make it again: weft prepare, or weft index", "%.250s",
			      error.message);
		return;
	}
	id = wv_db_build_id(db, &size);
	wv_build_id_text(id, size < sizeof(machine->build_id) ? size : sizeof(machine->build_id),
			 text);
	if (size == machine->build_id_size && !memcmp(id, machine->build_id, size))
		wv_health_set(check, WV_HEALTH_OK, "", "%.200s is of the running kernel",
			      machine->db);
	else
		wv_health_set(check, WV_HEALTH_MISSING,
			      "weft prepare, or weft index, for the kernel that runs",
			   "build-id mismatch: %.150s has %s", machine->db, text);
	wv_db_close(db);
}

static const struct {
	const char *name;
	void (*run)(const struct machine *machine, struct wv_health_check *check);
	bool live; /* the check asks the running kernel: not done if only files are checked */
} checks[] = {
	{ "privilege", check_privilege, true },
	{ "architecture", check_architecture, true },
	{ "kernel options", check_config, false },
	{ "lockdown", check_lockdown, true },
	{ "signatures", check_signatures, true },
	{ "build-id", check_build_id, true },
	{ "weft.ko", check_module, false },
	{ "loaded", check_kmod, true },
	{ "kprobes", check_kprobes, true },
	{ "database", check_database, true },
	{ "kernel headers", check_headers, false },
	{ "debug package", check_debug, false },
	{ "source", check_source, false },
	{ "plugin", check_plugin, false },
	{ "tools", check_tools, true },
	{ "advice", check_faults, true },
};

static int run_checks(const struct machine *machine, struct wv_health *ret, struct wv_error *error)
{
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		struct wv_health_check *check;

		if (checks[i].live && !machine->live)
			continue;
		check = wv_vec_push(&ret->checks);
		if (!check) {
			wv_health_deinit(ret);
			return wv_no_memory(error);
		}
		check->name = checks[i].name;
		checks[i].run(machine, check);
	}
	return 0;
}

int wv_health_check(const struct wv_health_subject *subject, struct wv_health *ret,
		    struct wv_error *error)
{
	struct machine machine = { .kernel = subject->kernel, .db = subject->db };
	struct wv_error ignored;
	int failed;

	memset(ret, 0, sizeof(*ret));
	uname(&machine.uts);
	machine.live = !subject->root && !subject->release;
	machine.system.root = subject->root ? subject->root : "";
	machine.system.release = subject->release ? subject->release : machine.uts.release;
	machine.config = read_config(&machine.system, machine.live);
	machine.system.config = machine.config;
	if (wv_kernel_build_id(machine.build_id, sizeof(machine.build_id), &machine.build_id_size,
			       &ignored))
		machine.build_id_size = 0;
	failed = run_checks(&machine, ret, error);
	free(machine.config);
	return failed;
}

void wv_health_deinit(struct wv_health *health)
{
	wv_vec_deinit(&health->checks);
}
