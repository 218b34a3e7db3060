/* SPDX-License-Identifier: Apache-2.0
 *
 * callgrind answers through files only, one more with every answer. Told to combine them in one,
 * and given a memory file by the name that it has in /proc, it leaves nothing behind and needs no
 * folder to write to; the file survives the exec as a descriptor.
 */
#include "measure/worker/meter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

#include "provenance/instruction_counter.h"

#ifdef __has_include
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define HAS_CALLGRIND 1
#endif
#endif
#ifndef HAS_CALLGRIND
#define HAS_CALLGRIND 0
#endif

/* Of the file that callgrind answers through; the region has the one before it. */
enum { ANSWER_FD = PB_LAUNCH_FD + 1 };
#define ANSWER_OPTION "--callgrind-out-file=/proc/self/fd/4"
_Static_assert(ANSWER_FD == 4, "ANSWER_OPTION names it");

/*
 * Names of glibc 2.33 and newer, then those that it had before; what a version does not know it
 * ignores. Sizes are those of a small processor; any would do.
 * source: sysdeps/x86/cpu-tunables.c of glibc 2.36 and 2.31, manual/tunables.texi
 */
#define PINNED_TUNABLES                                                                            \
    "glibc.cpu.hwcaps="                                                                            \
    "-AVX,-AVX2,-AVX512F,-AVX512VL,-AVX512BW,-BMI1,-BMI2,-ERMS,-FMA,-FMA4,-FSRM,-LZCNT,-MOVBE,"    \
    "-RTM,-SSSE3,-SSE4_1,-SSE4_2,-AVX_Fast_Unaligned_Load,-Fast_Copy_Backward,"                    \
    "-Fast_Unaligned_Copy,-Fast_Unaligned_Load,-Fast_Rep_String,-Slow_BSF,-Slow_SSE4_2,"           \
    "-AVX_Usable,-AVX2_Usable,-AVX512F_Usable,-FMA_Usable,-FMA4_Usable"                            \
    ":glibc.cpu.x86_data_cache_size=0x8000"                                                        \
    ":glibc.cpu.x86_shared_cache_size=0x100000"                                                    \
    ":glibc.cpu.x86_non_temporal_threshold=0xc0000"                                                \
    ":glibc.cpu.name=generic"

static void pin_environment(void)
{
    setenv("GLIBC_TUNABLES", PINNED_TUNABLES, 1);
    unsetenv("PAIRBENCH_STACK_PAD");
    personality(ADDR_NO_RANDOMIZE);
}

/* Path of this program. returns: false when it can't be told */
static bool find_self(char self[PATH_MAX])
{
    const ssize_t n = readlink("/proc/self/exe", self, PATH_MAX - 1);
    if (n <= 0) {
        return false;
    }
    self[n] = '\0';
    return true;
}

static void exec_under_perf_event(char *self)
{
    char *const argv[] = {self, NULL};
    execv(self, argv);
}

static void exec_under_callgrind(char *self)
{
    const int fd = memfd_create("pairbench-counts", 0);
    if (fd < 0 || (fd != ANSWER_FD && (dup2(fd, ANSWER_FD) < 0 || close(fd) != 0))) {
        return;
    }
    char *const argv[] = {"valgrind",
                          "--command-line-only=yes", /* no options of the user's */
                          "-q",
                          "--tool=callgrind",
                          "--vgdb=no",
                          "--instr-atstart=no",
                          "--dump-line=no",
                          "--combine-dumps=yes",
                          ANSWER_OPTION,
                          self,
                          NULL};
    execvp(argv[0], argv);
}

bool meter_begin(struct pb_launch_region *region)
{
    if (region->counter != PB_COUNTER_NONE) {
        return true;
    }
    char self[PATH_MAX];
    int fd = -1;
    const int why_not = pb_instruction_counter_open(&fd);
    pin_environment();
    if (!find_self(self)) {
        snprintf(region->failure, sizeof region->failure, "can't find the worker's own program");
        return false;
    }
    if (why_not == 0) {
        close(fd);
        region->counter = PB_COUNTER_PERF_EVENT;
        exec_under_perf_event(self);
    } else if (HAS_CALLGRIND) {
        region->counter = PB_COUNTER_CALLGRIND;
        exec_under_callgrind(self);
    }
    const char *problem = HAS_CALLGRIND ? strerror(errno) : "this pairbench was built without it";
    region->counter = PB_COUNTER_NONE;
    snprintf(region->failure, sizeof region->failure,
             "there is no counter of instructions here: perf_event_open: %s; valgrind: %s",
             strerror(why_not), problem);
    return false;
}

bool meter_open(struct meter *meter, struct pb_launch_region *region)
{
    *meter = (struct meter){.counter = (enum pb_counter)region->counter, .fd = ANSWER_FD};
    if (meter->counter != PB_COUNTER_PERF_EVENT) {
        return true;
    }
    const int why_not = pb_instruction_counter_open(&meter->fd);
    if (why_not != 0) {
        snprintf(region->failure, sizeof region->failure, "perf_event_open: %s", strerror(why_not));
    }
    return why_not == 0;
}

#if HAS_CALLGRIND
/* The count at the head of callgrind's answer, which is thrown away. */
static int64_t read_answer(int fd)
{
    static const char key[] = "\nsummary: ";
    char answer[4096];
    const ssize_t n = pread(fd, answer, sizeof answer - 1, 0);
    answer[n > 0 ? n : 0] = '\0';
    const char *found = strstr(answer, key);
    if (ftruncate(fd, 0) != 0) {
        return -1;
    }
    return found != NULL ? strtoll(found + strlen(key), NULL, 10) : -1;
}
#endif

void meter_start(const struct meter *meter)
{
    if (meter->counter == PB_COUNTER_PERF_EVENT) {
        pb_instruction_counter_start(meter->fd);
        return;
    }
#if HAS_CALLGRIND
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
#endif
}

int64_t meter_stop(const struct meter *meter)
{
    if (meter->counter == PB_COUNTER_PERF_EVENT) {
        return pb_instruction_counter_stop(meter->fd);
    }
#if HAS_CALLGRIND
    CALLGRIND_DUMP_STATS; /* stopping would forget */
    CALLGRIND_STOP_INSTRUMENTATION;
    return read_answer(meter->fd);
#else
    return -1;
#endif
}
