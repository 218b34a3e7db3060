/* SPDX-License-Identifier: Apache-2.0
 *
 * One table of facts and where each is read.
 */
#include "provenance/machine.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "base/strbuf.h"
#include "provenance/cgroup_limits.h"
#include "provenance/cpuinfo.h"
#include "provenance/fact_list.h"
#include "provenance/file_tree.h"

/* Processors that a list may name; the kernel's own limit on x86 is 8192. */
enum { PROCESSORS_MAX = 8192 };

/* What more than one fact is read from. */
struct probe {
    struct pb_file_tree tree;
    struct pb_cpuinfo cpu;
    struct pb_cgroup_limits limits;
};

/* Reads one fact; NULL when it can't be known. */
typedef const char *read_fact(const struct probe *probe);

static const char *read_arch(const struct probe *probe)
{
    struct utsname name;
    return uname(&name) == 0 ? pb_arena_strdup(probe->tree.arena, name.machine) : NULL;
}

static const char *read_libc(const struct probe *probe)
{
#ifdef __GLIBC__
    return pb_arena_printf(probe->tree.arena, "glibc %s", gnu_get_libc_version());
#else
    (void)probe;
    return NULL;
#endif
}

static const char *read_vendor(const struct probe *probe)
{
    return probe->cpu.vendor;
}

static const char *read_family(const struct probe *probe)
{
    return probe->cpu.family;
}

static const char *read_model(const struct probe *probe)
{
    return probe->cpu.model;
}

static const char *read_stepping(const struct probe *probe)
{
    return probe->cpu.stepping;
}

static const char *read_cpu(const struct probe *probe)
{
    return probe->cpu.name;
}

static const char *read_cpu_quota(const struct probe *probe)
{
    return probe->limits.cpu_quota;
}

static const char *read_memory_limit(const struct probe *probe)
{
    return probe->limits.memory_bytes;
}

/*
 * Takes the next range of a list like `0-3,8` or the single number that stands for one.
 * returns: false at the end of the list and where it is malformed
 */
static bool next_range(const char **list, unsigned *first, unsigned *last)
{
    char *end;
    const unsigned long from = strtoul(*list, &end, 10);
    if (end == *list) {
        return false;
    }
    unsigned long to = from;
    if (*end == '-') {
        const char *second = end + 1;
        to = strtoul(second, &end, 10);
        if (end == second) {
            return false;
        }
    }
    if (to < from || to >= PROCESSORS_MAX) {
        return false;
    }
    *list = *end == ',' ? end + 1 : end;
    *first = (unsigned)from;
    *last = (unsigned)to;
    return true;
}

static const char *online(const struct probe *probe)
{
    return pb_file_tree_line(&probe->tree, "sys/devices/system/cpu/online");
}

static const char *read_cpus(const struct probe *probe)
{
    size_t n = 0;
    unsigned first;
    unsigned last;
    const char *list = online(probe);
    while (list != NULL && next_range(&list, &first, &last)) {
        n += last - first + 1;
    }
    n = n > 0 ? n : probe->cpu.n_processors;
    return n > 0 ? pb_arena_printf(probe->tree.arena, "%zu", n) : NULL;
}

/* Value of a `key:` line in a file of such lines, without blanks around it. */
static const char *keyed_value(const struct probe *probe, const char *path, const char *key)
{
    const char *line = pb_file_tree_text(&probe->tree, "%s", path);
    const size_t key_length = strlen(key);
    while (line != NULL && strncmp(line, key, key_length) != 0) {
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    if (line == NULL) {
        return NULL;
    }
    line += key_length + strspn(line + key_length, " \t");
    const size_t length = strcspn(line, "\n");
    return length > 0 ? pb_arena_memdup(probe->tree.arena, line, length) : NULL;
}

static const char *read_cpus_allowed(const struct probe *probe)
{
    return keyed_value(probe, "proc/self/status", "Cpus_allowed_list:");
}

static const char *read_memory(const struct probe *probe)
{
    const char *kib = keyed_value(probe, "proc/meminfo", "MemTotal:");
    if (kib == NULL) {
        return NULL;
    }
    char *end;
    const uint64_t value = strtoull(kib, &end, 10);
    if (end == kib || value > UINT64_MAX / 1024) {
        return NULL;
    }
    return pb_arena_printf(probe->tree.arena, "%" PRIu64, value * 1024);
}

static const char *read_kernel(const struct probe *probe)
{
    return pb_file_tree_line(&probe->tree, "proc/sys/kernel/osrelease");
}

static const char *read_hypervisor(const struct probe *probe)
{
    static const char *const names[] = {"sys/hypervisor/type",
                                        "proc/device-tree/hypervisor/compatible",
                                        "sys/class/dmi/id/sys_vendor"};
    const char *flag = probe->cpu.hypervisor;
    const bool none = flag != NULL && strcmp(flag, "none") == 0;
    /* The vendor of the machine is that of the hypervisor only where there is one. */
    const size_t n = flag != NULL ? sizeof names / sizeof names[0] : 2;
    const char *name = NULL;
    for (size_t i = 0; i < n && name == NULL && !none; i++) {
        name = pb_file_tree_line(&probe->tree, "%s", names[i]);
    }
    return name != NULL ? name : flag;
}

static const char *read_clocksource(const struct probe *probe)
{
    return pb_file_tree_line(&probe->tree,
                             "sys/devices/system/clocksource/clocksource0/current_clocksource");
}

/* Whether one of the values joined by '+' is this one. */
static bool has_value(const char *joined, const char *value)
{
    const size_t length = strlen(value);
    for (const char *at = joined; at != NULL; at = strchr(at, '+')) {
        at += *at == '+' ? 1 : 0;
        if (strncmp(at, value, length) == 0 && (at[length] == '+' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static const char *read_governor(const struct probe *probe)
{
    const char *governors = NULL;
    unsigned first;
    unsigned last;
    const char *list = online(probe);
    while (list != NULL && next_range(&list, &first, &last)) {
        for (unsigned i = first; i <= last; i++) {
            const char *governor = pb_file_tree_line(
                &probe->tree, "sys/devices/system/cpu/cpu%u/cpufreq/scaling_governor", i);
            if (governor != NULL && governors == NULL) {
                governors = governor;
            } else if (governor != NULL && !has_value(governors, governor)) {
                governors = pb_arena_printf(probe->tree.arena, "%s+%s", governors, governor);
            }
        }
    }
    return governors;
}

/* What a file with a 0 or a 1 means. */
struct toggle {
    const char *path;
    const char *if_0;
    const char *if_1;
};

static const char *read_toggle(const struct probe *probe, const struct toggle *toggles, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *line = pb_file_tree_line(&probe->tree, "%s", toggles[i].path);
        if (line != NULL && strcmp(line, "0") == 0) {
            return toggles[i].if_0;
        }
        if (line != NULL && strcmp(line, "1") == 0) {
            return toggles[i].if_1;
        }
    }
    return NULL;
}

static const char *read_turbo(const struct probe *probe)
{
    static const struct toggle toggles[] = {
        {"sys/devices/system/cpu/intel_pstate/no_turbo", "on", "off"},
        {"sys/devices/system/cpu/cpufreq/boost", "off", "on"},
        {"sys/devices/system/cpu/cpufreq/policy0/boost", "off", "on"},
    };
    return read_toggle(probe, toggles, sizeof toggles / sizeof toggles[0]);
}

static const char *read_smt(const struct probe *probe)
{
    static const struct toggle active = {"sys/devices/system/cpu/smt/active", "off", "on"};
    const char *known = read_toggle(probe, &active, 1);
    if (known != NULL) {
        return known;
    }
    const char *siblings = pb_file_tree_line(
        &probe->tree, "sys/devices/system/cpu/cpu0/topology/thread_siblings_list");
    if (siblings == NULL) {
        return NULL;
    }
    return strpbrk(siblings, ",-") != NULL ? "on" : "off";
}

static const char *read_aslr(const struct probe *probe)
{
    static const uint64_t no_randomize = 0x0040000; /* ADDR_NO_RANDOMIZE of <sys/personality.h> */
    const char *personality = pb_file_tree_line(&probe->tree, "proc/self/personality");
    if (personality != NULL && (strtoull(personality, NULL, 16) & no_randomize) != 0) {
        return "off";
    }
    static const char *const levels[] = {"off", "partial", "full"};
    const char *level = pb_file_tree_line(&probe->tree, "proc/sys/kernel/randomize_va_space");
    if (level == NULL || level[0] < '0' || level[0] > '2' || level[1] != '\0') {
        return NULL;
    }
    return levels[level[0] - '0'];
}

static const char *read_load(const struct probe *probe)
{
    const char *line = pb_file_tree_line(&probe->tree, "proc/loadavg");
    return line != NULL ? pb_arena_memdup(probe->tree.arena, line, strcspn(line, " ")) : NULL;
}

/* With the machine's secret id, where there is one, so that guessing names does not help. */
static const char *read_hostname_hash(const struct probe *probe)
{
    const char *name = pb_file_tree_line(&probe->tree, "proc/sys/kernel/hostname");
    if (name == NULL) {
        return NULL;
    }
    const char *id = pb_file_tree_line(&probe->tree, "etc/machine-id");
    struct pb_fact fact = {name, id != NULL ? id : ""};
    const struct pb_facts both = {.items = &fact, .n = 1};
    return pb_arena_printf(probe->tree.arena, "%016" PRIx64, pb_facts_hash(&both));
}

static const struct {
    const char *key;
    read_fact *read;
    bool in_fingerprint;
} table[] = {
    {"arch", read_arch, true},
    {"aslr", read_aslr, false},
    {"clocksource", read_clocksource, true},
    {"cpu", read_cpu, true},
    {"cpu_quota", read_cpu_quota, true},
    {"cpus", read_cpus, true},
    {"cpus_allowed", read_cpus_allowed, false},
    {"family", read_family, true},
    {"governor", read_governor, true},
    /* Not in the fingerprint: machines of a fleet are alike, and a CI job has a new name a day. */
    {"hostname_hash", read_hostname_hash, false},
    {"hypervisor", read_hypervisor, true},
    {"kernel", read_kernel, true},
    {"libc", read_libc, true},
    {"load", read_load, false},
    /* Neither is the memory: a kernel update reserves a few pages more, and time is the same. */
    {"memory_bytes", read_memory, false},
    {"memory_limit_bytes", read_memory_limit, false},
    {"model", read_model, true},
    {"smt", read_smt, true},
    {"stepping", read_stepping, true},
    {"turbo", read_turbo, true},
    {"vendor", read_vendor, true},
};

struct pb_facts pb_machine_facts_at(struct pb_arena *arena, const char *root)
{
    struct probe probe = {.tree = {.arena = arena, .root = root}};
    probe.cpu = pb_cpuinfo_parse(arena, pb_file_tree_text(&probe.tree, "proc/cpuinfo"));
    probe.limits = pb_cgroup_limits_read(&probe.tree);
    struct pb_fact_list all = {.arena = arena};
    struct pb_fact_list fingerprint = {.arena = arena};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const char *value = table[i].read(&probe);
        pb_fact_list_add(&all, table[i].key, value);
        if (table[i].in_fingerprint) {
            pb_fact_list_add(&fingerprint, table[i].key, value);
        }
    }
    const struct pb_facts hashed = pb_fact_list_sorted(&fingerprint);
    pb_fact_list_add(&all, "fingerprint",
                     pb_arena_printf(arena, "%016" PRIx64, pb_facts_hash(&hashed)));
    return pb_fact_list_sorted(&all);
}

struct pb_facts pb_machine_facts(struct pb_arena *arena)
{
    return pb_machine_facts_at(arena, "");
}
