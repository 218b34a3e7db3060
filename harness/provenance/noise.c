/* SPDX-License-Identifier: Apache-2.0
 *
 * One table of questions. Each has a function that finds the value and says whether it is as it
 * should be; the words are in the table.
 */
#include "provenance/noise.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/strbuf.h"
#include "provenance/cgroup_limits.h"
#include "provenance/fact_list.h"
#include "provenance/file_tree.h"
#include "provenance/instruction_counter.h"
#include "provenance/machine.h"

/* A slice of 35 µs is to be a thousand steps of the clock. */
#define CLOCK_STEP_MOST_NS 35.0

/* Steal of hours is mostly steal of idle hours: a fifth of what is borne for a moment. */
#define STEAL_SINCE_BOOT_PCT (PB_NOISE_STEAL_PCT / 5)

/* Processors that differ more in their speed are not held at one. */
#define FREQUENCY_SPREAD_PCT 2.0

/* A worker needs one processor, and what starts it a bit of another. */
#define QUOTA_LEAST 1.5

/* A launch with the largest inputs of a suite, and valgrind around it, want this much. */
#define MEMORY_LEAST_MIB 512.0

/* The plain number at the start of text, in whatever locale; NaN when there is none. */
static double decimal(const char *text)
{
    if (*text < '0' || *text > '9') {
        return NAN;
    }
    char *end;
    double value = (double)strtoull(text, &end, 10);
    double unit = 1;
    for (const char *at = end + 1; *end == '.' && *at >= '0' && *at <= '9'; at++) {
        unit /= 10;
        value += unit * (*at - '0');
    }
    return value;
}

static void read_ticks(const struct pb_file_tree *tree, struct pb_noise_sample *sample)
{
    enum { STEAL = 7, FIELDS = 8 }; /* user nice system idle iowait irq softirq steal */
    static const char name[] = "cpu ";
    const char *line = pb_file_tree_line(tree, "proc/stat");
    if (line == NULL || strncmp(line, name, strlen(name)) != 0) {
        return;
    }
    const char *at = line + strlen(name);
    uint64_t ticks = 0;
    for (int i = 0; i < FIELDS; i++) {
        char *end;
        const uint64_t value = strtoull(at, &end, 10);
        if (end == at) {
            return;
        }
        ticks += value;
        sample->steal_ticks = i == STEAL ? value : 0;
        at = end;
    }
    sample->ticks = ticks;
}

static double read_pressure(const struct pb_file_tree *tree)
{
    static const char key[] = "avg10=";
    const char *line = pb_file_tree_line(tree, "proc/pressure/cpu");
    const char *found = line != NULL ? strstr(line, key) : NULL;
    return found != NULL ? decimal(found + strlen(key)) : (double)NAN;
}

struct pb_noise_sample pb_noise_sample_take(const char *root)
{
    struct pb_arena arena = {0};
    const struct pb_file_tree tree = {.arena = &arena, .root = root};
    struct pb_noise_sample sample = {
        .pressure_pct = read_pressure(&tree),
        .n_throttled = pb_cgroup_throttled(&tree),
    };
    read_ticks(&tree, &sample);
    pb_arena_release(&arena);
    return sample;
}

/* Steal goes backwards on some hosts: then there is no telling. */
static double steal_pct(const struct pb_noise_sample *before, const struct pb_noise_sample *after)
{
    if (after->ticks <= before->ticks || after->steal_ticks < before->steal_ticks) {
        return NAN;
    }
    return 100.0 * (double)(after->steal_ticks - before->steal_ticks) /
           (double)(after->ticks - before->ticks);
}

struct pb_noise_interval pb_noise_between(const struct pb_noise_sample *before,
                                          const struct pb_noise_sample *after)
{
    const bool counts = before->n_throttled >= 0 && after->n_throttled >= before->n_throttled;
    return (struct pb_noise_interval){
        .steal_pct = before->ticks > 0 ? steal_pct(before, after) : (double)NAN,
        .pressure_pct = fmax(before->pressure_pct, after->pressure_pct),
        .n_throttled = counts ? after->n_throttled - before->n_throttled : -1,
    };
}

const char *pb_noise_fit_name(enum pb_noise_fit fit)
{
    static const char *const names[] = {
        [PB_NOISE_YES] = "yes",
        [PB_NOISE_NO] = "no",
        [PB_NOISE_UNKNOWN] = "unknown",
    };
    return names[fit];
}

/* Smallest step of the clock over many readings. */
static double clock_step_ns(void)
{
    enum { READINGS = 2000 };
    double least = INFINITY;
    struct timespec before;
    clock_gettime(CLOCK_MONOTONIC, &before);
    for (int i = 0; i < READINGS; i++) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        const double step =
            1e9 * (double)(now.tv_sec - before.tv_sec) + (double)(now.tv_nsec - before.tv_nsec);
        least = step > 0 ? fmin(least, step) : least;
        before = now;
    }
    return least;
}

static const char *valgrind_version(struct pb_arena *arena)
{
    static const char prefix[] = "valgrind-";
    struct pb_strbuf output = {0};
    const struct pb_child_spec spec = {
        .argv = (const char *const[]){"valgrind", "--version", NULL},
        .deadline_s = 10,
        .output = &output,
    };
    struct pb_child_outcome outcome;
    const char *version = NULL;
    if (pb_child_run(&spec, &outcome, NULL) == PB_OK && outcome.exit_code == 0 &&
        output.length > 0) {
        const char *text = output.text;
        text += strncmp(text, prefix, strlen(prefix)) == 0 ? strlen(prefix) : 0;
        version = pb_arena_memdup(arena, text, strcspn(text, "\n"));
    }
    pb_strbuf_release(&output);
    return version;
}

/* Ends what is not on, which all kernels can that have it. */
static bool can_count_syscalls(void)
{
#if defined __x86_64__ && defined PR_SET_SYSCALL_USER_DISPATCH
    return prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0, 0, 0) == 0;
#else
    return false;
#endif
}

/* Memory that was written may be made code: some security modules forbid it. */
static bool can_move_code(void)
{
    const size_t size_bytes = (size_t)sysconf(_SC_PAGESIZE);
    void *page = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
        return false;
    }
    *(volatile char *)page = 0;
    const bool can = mprotect(page, size_bytes, PROT_READ | PROT_EXEC) == 0;
    munmap(page, size_bytes);
    return can;
}

struct pb_noise_answers pb_noise_ask(struct pb_arena *arena)
{
    struct timespec resolution = {0};
    clock_getres(CLOCK_MONOTONIC, &resolution);
    int fd = -1;
    const int counter_error = pb_instruction_counter_open(&fd);
    if (counter_error == 0) {
        close(fd);
    }
    return (struct pb_noise_answers){
        .clock_nominal_ns = 1e9 * (double)resolution.tv_sec + (double)resolution.tv_nsec,
        .clock_step_ns = clock_step_ns(),
        .counter_error = counter_error,
        .valgrind = valgrind_version(arena),
        .counts_syscalls = can_count_syscalls(),
        .moves_code = can_move_code(),
    };
}

/* What the answers are found in. */
struct view {
    struct pb_file_tree tree;
    struct pb_facts machine;
    const struct pb_noise_answers *answers;
    const struct pb_noise_sample *now;
    struct pb_noise_interval interval;
};

/* Finds item->value; may set item->advice where the table's words don't fit. */
typedef enum pb_noise_fit judge_item(const struct view *view, struct pb_noise_item *item);

/* A number with its unit behind it, in the C locale. */
static const char *show(const struct view *view, double value, int decimals, const char *unit)
{
    struct pb_strbuf text = {0};
    pb_strbuf_addf(&text, "%.*f%s", decimals, value, unit);
    const char *shown = pb_arena_strdup(view->tree.arena, text.text);
    pb_strbuf_release(&text);
    return shown;
}

/* Value of a fact on the machine; NULL when it is not known. */
static const char *fact(const struct view *view, const char *key)
{
    const char *value = pb_fact_or_unknown(&view->machine, key);
    return strcmp(value, PB_FACT_UNKNOWN) != 0 ? value : NULL;
}

/* Yes when a fact has the one good value. */
static enum pb_noise_fit judge_fact(const struct view *view, const char *key, const char *good,
                                    struct pb_noise_item *item)
{
    item->value = fact(view, key);
    if (item->value == NULL) {
        return PB_NOISE_UNKNOWN;
    }
    return strcmp(item->value, good) == 0 ? PB_NOISE_YES : PB_NOISE_NO;
}

/* Yes when a value is known and at most so much. */
static enum pb_noise_fit judge_most(double value, double most)
{
    if (isnan(value)) {
        return PB_NOISE_UNKNOWN;
    }
    return value <= most ? PB_NOISE_YES : PB_NOISE_NO;
}

static bool is_among(const char *text, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(text, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

static enum pb_noise_fit judge_clock_source(const struct view *view, struct pb_noise_item *item)
{
    /* Read without leaving the process, in tens of nanoseconds; the others cost a microsecond. */
    static const char *const fast[] = {"tsc", "kvm-clock", "hyperv_clocksource_tsc_page",
                                       "arch_sys_counter"};
    static const char *const slow[] = {"hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit"};
    item->value = fact(view, "clocksource");
    if (item->value == NULL) {
        return PB_NOISE_UNKNOWN;
    }
    if (is_among(item->value, fast, sizeof fast / sizeof fast[0])) {
        return PB_NOISE_YES;
    }
    return is_among(item->value, slow, sizeof slow / sizeof slow[0]) ? PB_NOISE_NO
                                                                     : PB_NOISE_UNKNOWN;
}

static enum pb_noise_fit judge_clock_step(const struct view *view, struct pb_noise_item *item)
{
    const struct pb_noise_answers *answers = view->answers;
    if (!isfinite(answers->clock_step_ns)) {
        return PB_NOISE_UNKNOWN;
    }
    item->value = pb_arena_printf(view->tree.arena, "%s by name, %s seen",
                                  show(view, answers->clock_nominal_ns, 0, " ns"),
                                  show(view, answers->clock_step_ns, 0, " ns"));
    return judge_most(answers->clock_step_ns, CLOCK_STEP_MOST_NS);
}

/* How many processors a list of the kernel has: `0-3,8,10-11`; 0 when it is none. */
static double count_listed(const char *list)
{
    double n = 0;
    for (;;) {
        char *end = NULL;
        const unsigned long first = strtoul(list, &end, 10);
        if (end == list) {
            return 0;
        }
        unsigned long last = first;
        if (*end == '-') {
            list = end + 1;
            last = strtoul(list, &end, 10);
        }
        if (end == list || last < first) {
            return 0;
        }
        n += (double)(last - first) + 1;
        if (*end != ',') {
            return *end == '\0' ? n : 0;
        }
        list = end + 1;
    }
}

/* Processors that this process may use, or that there are; NaN when not known. */
static double processors(const struct view *view)
{
    const char *allowed = fact(view, "cpus_allowed");
    const double n_allowed = allowed != NULL ? count_listed(allowed) : 0;
    const char *all = fact(view, "cpus");
    return n_allowed > 0 ? n_allowed : all != NULL ? decimal(all) : (double)NAN;
}

static enum pb_noise_fit judge_processors(const struct view *view, struct pb_noise_item *item)
{
    const double n = processors(view);
    const char *allowed = fact(view, "cpus_allowed");
    if (isnan(n)) {
        return PB_NOISE_UNKNOWN;
    }
    item->value = allowed != NULL
                      ? pb_arena_printf(view->tree.arena, "%s, of which allowed: %s",
                                        pb_fact_or_unknown(&view->machine, "cpus"), allowed)
                      : show(view, n, 0, "");
    return n >= 2 ? PB_NOISE_YES : PB_NOISE_NO;
}

static enum pb_noise_fit judge_quota(const struct view *view, struct pb_noise_item *item)
{
    item->value = fact(view, "cpu_quota");
    if (item->value == NULL) {
        return PB_NOISE_UNKNOWN;
    }
    const double quota = decimal(item->value);
    return isnan(quota) || quota >= QUOTA_LEAST ? PB_NOISE_YES : PB_NOISE_NO;
}

static enum pb_noise_fit judge_memory_limit(const struct view *view, struct pb_noise_item *item)
{
    static const double mib = 1024.0 * 1024.0;
    item->value = fact(view, "memory_limit_bytes");
    if (item->value == NULL) {
        return PB_NOISE_UNKNOWN;
    }
    const double bytes = decimal(item->value);
    if (isnan(bytes)) { /* `none` */
        return PB_NOISE_YES;
    }
    item->value = show(view, bytes / mib, 0, " MiB");
    return bytes >= MEMORY_LEAST_MIB * mib ? PB_NOISE_YES : PB_NOISE_NO;
}

static enum pb_noise_fit judge_throttled(const struct view *view, struct pb_noise_item *item)
{
    const int64_t n = view->interval.n_throttled;
    if (n < 0) {
        return PB_NOISE_UNKNOWN;
    }
    item->value = pb_arena_printf(view->tree.arena, "%" PRId64 " just now, %" PRId64 " ever", n,
                                  view->now->n_throttled);
    return n == 0 ? PB_NOISE_YES : PB_NOISE_NO;
}

/* One more program must find a processor, with half of one to spare. */
static enum pb_noise_fit judge_load(const struct view *view, struct pb_noise_item *item)
{
    item->value = fact(view, "load");
    const double load = item->value != NULL ? decimal(item->value) : (double)NAN;
    return judge_most(load - processors(view), -0.5);
}

static enum pb_noise_fit judge_pressure(const struct view *view, struct pb_noise_item *item)
{
    const double pct = view->interval.pressure_pct;
    item->value = isnan(pct) ? NULL : show(view, pct, 0, " % of the last 10 s");
    return judge_most(pct, PB_NOISE_PRESSURE_PCT);
}

static enum pb_noise_fit judge_steal(const struct view *view, struct pb_noise_item *item)
{
    const double pct = view->interval.steal_pct;
    item->value = isnan(pct) ? NULL : show(view, pct, 1, " %");
    return judge_most(pct, PB_NOISE_STEAL_PCT);
}

static enum pb_noise_fit judge_steal_since_boot(const struct view *view, struct pb_noise_item *item)
{
    const struct pb_noise_sample *now = view->now;
    const double pct =
        now->ticks > 0 ? 100.0 * (double)now->steal_ticks / (double)now->ticks : (double)NAN;
    item->value = isnan(pct) ? NULL : show(view, pct, 1, " %");
    return judge_most(pct, STEAL_SINCE_BOOT_PCT);
}

static enum pb_noise_fit judge_hypervisor(const struct view *view, struct pb_noise_item *item)
{
    const enum pb_noise_fit fit = judge_fact(view, "hypervisor", "none", item);
    if (fit == PB_NOISE_NO && strcmp(item->value, "yes") == 0) {
        item->value = "a virtual machine";
    }
    return fit;
}

static enum pb_noise_fit judge_governor(const struct view *view, struct pb_noise_item *item)
{
    return judge_fact(view, "governor", "performance", item);
}

static enum pb_noise_fit judge_turbo(const struct view *view, struct pb_noise_item *item)
{
    return judge_fact(view, "turbo", "off", item);
}

static enum pb_noise_fit judge_smt(const struct view *view, struct pb_noise_item *item)
{
    return judge_fact(view, "smt", "off", item);
}

static enum pb_noise_fit judge_aslr(const struct view *view, struct pb_noise_item *item)
{
    return judge_fact(view, "aslr", "full", item);
}

/* The `cpu MHz` lines of /proc/cpuinfo, which not every architecture has. */
static enum pb_noise_fit judge_frequency(const struct view *view, struct pb_noise_item *item)
{
    static const char key[] = "cpu MHz";
    double least = INFINITY;
    double most = 0;
    const char *text = pb_file_tree_text(&view->tree, "proc/cpuinfo");
    for (const char *at = text; at != NULL && (at = strstr(at, key)) != NULL; at++) {
        const char *value = at + strlen(key) + strspn(at + strlen(key), " \t:");
        const double mhz = decimal(value);
        if (mhz > 0) {
            least = fmin(least, mhz);
            most = fmax(most, mhz);
        }
    }
    if (most <= 0) {
        return PB_NOISE_UNKNOWN;
    }
    item->value = pb_arena_printf(view->tree.arena, "%s to %s", show(view, least, 0, ""),
                                  show(view, most, 0, " MHz"));
    return judge_most(100 * (most / least - 1), FREQUENCY_SPREAD_PCT);
}

/* The chosen word stands in brackets: `always [madvise] never`. */
static enum pb_noise_fit judge_huge_pages(const struct view *view, struct pb_noise_item *item)
{
    const char *line = pb_file_tree_line(&view->tree, "sys/kernel/mm/transparent_hugepage/enabled");
    const char *begin = line != NULL ? strchr(line, '[') : NULL;
    if (begin == NULL) {
        return PB_NOISE_UNKNOWN;
    }
    item->value = pb_arena_memdup(view->tree.arena, begin + 1, strcspn(begin + 1, "]"));
    return strcmp(item->value, "always") == 0 ? PB_NOISE_NO : PB_NOISE_YES;
}

static enum pb_noise_fit judge_perf_event(const struct view *view, struct pb_noise_item *item)
{
    const int error = view->answers->counter_error;
    if (error == 0) {
        item->value = "counts instructions";
        return PB_NOISE_YES;
    }
    const bool forbidden = error == EACCES || error == EPERM;
    const bool absent = error == ENOENT || error == EOPNOTSUPP || error == ENODEV;
    item->value = forbidden ? "forbidden" : absent ? "no such counter" : strerror(error);
    if (forbidden) {
        item->advice = "sysctl kernel.perf_event_paranoid=2 or less, and in a container the "
                       "permission to call perf_event_open";
    }
    return PB_NOISE_NO;
}

static enum pb_noise_fit judge_valgrind(const struct view *view, struct pb_noise_item *item)
{
    item->value = view->answers->valgrind;
    if (item->value == NULL) {
        item->value = "not found";
        return PB_NOISE_NO;
    }
    return PB_NOISE_YES;
}

static enum pb_noise_fit judge_syscalls(const struct view *view, struct pb_noise_item *item)
{
    const bool can = view->answers->counts_syscalls;
    item->value = can ? "Syscall User Dispatch" : "no Syscall User Dispatch";
    return can ? PB_NOISE_YES : PB_NOISE_NO;
}

static enum pb_noise_fit judge_own_pages(const struct view *view, struct pb_noise_item *item)
{
    const bool can = view->answers->moves_code;
    item->value = can ? "allowed" : "forbidden";
    return can ? PB_NOISE_YES : PB_NOISE_NO;
}

static const struct {
    const char *key;
    const char *what;
    judge_item *judge;
    const char *if_no;
    const char *if_unknown;
} questions[] = {
    {"clock_source", "the clock is fast to read", judge_clock_source,
     "slow to read; boot with clocksource=tsc, or with the clock of your hypervisor",
     "not known to be good or bad; the resolution below decides"},
    {"clock_resolution", "the clock is fine enough", judge_clock_step,
     "too coarse for slices of 35 µs: use another clock source", "the clock stands still"},
    {"processors", "a second processor is there", judge_processors,
     "whatever else runs interrupts a launch: allow a second processor",
     "neither /proc nor /sys says"},
    {"load", "a processor is free (load)", judge_load,
     "stop what else is running, or measure when it is done", "see the noise floor"},
    {"pressure", "few programs wait (pressure)", judge_pressure,
     "more programs want to run than there are processors: stop some, or measure later",
     "this kernel doesn't say (CONFIG_PSI); see the load"},
    {"cpu_quota", "no CPU quota in the way", judge_quota,
     "launches are stopped when it is used up: allow two processors, or none in particular",
     "no control groups here, or hidden ones"},
    {"memory_limit", "no memory limit in the way", judge_memory_limit,
     "launches with large inputs may be killed: allow 512 MiB",
     "no control groups here, or hidden ones"},
    {"throttled", "no quota was used up", judge_throttled,
     "raise the quota, or run fewer things in this group",
     "the group doesn't say; there may be no quota"},
    {"steal", "little steal just now", judge_steal,
     "the host gives this machine's time to others: measure later, or longer",
     "the kernel doesn't say"},
    {"steal_since_boot", "little steal since boot", judge_steal_since_boot,
     "the host is often busy: expect inconclusive results, give runs a larger --budget",
     "the kernel doesn't say"},
    {"hypervisor", "no hypervisor", judge_hypervisor,
     "neighbours can't be seen from here; what they take shows as steal and as noise",
     "a hypervisor may hide itself"},
    {"governor", "the governor holds the frequency", judge_governor,
     "as root: cpupower frequency-set -g performance", "no cpufreq here: the host decides"},
    {"turbo", "turbo is off", judge_turbo,
     "as root: echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo, or echo 0 > "
     "/sys/devices/system/cpu/cpufreq/boost",
     "no cpufreq here: the host decides"},
    {"frequency", "processors run at one frequency", judge_frequency,
     "fix the governor and turbo above", "/proc/cpuinfo has no frequencies"},
    {"smt", "one thread per core (no SMT)", judge_smt,
     "two threads share a core: as root echo off > /sys/devices/system/cpu/smt/control, or leave "
     "half of them idle",
     "the host decides, and may run a neighbour on the other thread"},
    {"aslr", "addresses are random (ASLR)", judge_aslr,
     "every launch has the same luck: sysctl kernel.randomize_va_space=2, and no setarch -R",
     "the kernel doesn't say"},
    {"huge_pages", "no huge pages unasked for (THP)", judge_huge_pages,
     "large inputs get them by luck: as root echo madvise > "
     "/sys/kernel/mm/transparent_hugepage/enabled",
     "this kernel has none, or hides them"},
    {"own_pages", "code gets pages of its own", judge_own_pages,
     "two files with the same code may differ by up to 1 %: allow execmem to pairbench-worker",
     NULL},
    {"perf_event", "the processor counts instructions", judge_perf_event,
     "virtual machines rarely have one; valgrind counts instead", NULL},
    {"valgrind", "valgrind counts instructions", judge_valgrind,
     "install valgrind, for run --instructions where the processor can't count", NULL},
    {"syscalls", "the kernel lets system calls be counted", judge_syscalls,
     "Linux 5.11 on x86-64 does; elsewhere those are counted that a suite reports", NULL},
};
enum { N_QUESTIONS = sizeof questions / sizeof questions[0] };
_Static_assert((int)N_QUESTIONS <= (int)PB_NOISE_ITEMS_MAX,
               "items[] of every caller has room for all");

size_t pb_noise_judge(struct pb_arena *arena, const char *root,
                      const struct pb_noise_answers *answers, const struct pb_noise_sample *before,
                      const struct pb_noise_sample *after, struct pb_noise_item *items)
{
    const struct view view = {
        .tree = {.arena = arena, .root = root},
        .machine = pb_machine_facts_at(arena, root),
        .answers = answers,
        .now = after,
        .interval = pb_noise_between(before, after),
    };
    for (size_t i = 0; i < N_QUESTIONS; i++) {
        struct pb_noise_item *item = &items[i];
        *item = (struct pb_noise_item){.key = questions[i].key, .what = questions[i].what};
        item->fit = questions[i].judge(&view, item);
        item->value = item->value != NULL ? item->value : PB_FACT_UNKNOWN;
        if (item->fit == PB_NOISE_YES) {
            item->advice = NULL;
        } else if (item->advice == NULL) {
            item->advice = item->fit == PB_NOISE_NO ? questions[i].if_no : questions[i].if_unknown;
        }
    }
    return N_QUESTIONS;
}
