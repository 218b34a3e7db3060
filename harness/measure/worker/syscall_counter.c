/* SPDX-License-Identifier: Apache-2.0
 *
 * Syscall User Dispatch: the kernel turns every system call of the thread, except those made from
 * one stretch of code, into a SIGSYS; its handler does the call from that stretch.
 * source: Linux, Documentation/admin-guide/syscall-user-dispatch.rst (since 5.11)
 */
#include "measure/worker/syscall_counter.h"

#include <sys/prctl.h>

#if defined __x86_64__ && defined PR_SET_SYSCALL_USER_DISPATCH

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { N_ARGUMENTS = 6, KERNEL_SIGSET_BYTES = 8 };

#define KERNEL_SA_RESTORER 0x04000000UL

/* As the kernel knows it; the C library's has a restorer of its own, in a place not known here. */
struct kernel_sigaction {
    void (*handler)(int number, siginfo_t *info, void *context);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

/* The stretch whose calls go through. Its section has a C name, so that the linker marks its ends.
 */
__asm__(".pushsection pb_syscalls, \"ax\", @progbits\n"
        ".type pb_syscall_do, @function\n"
        "pb_syscall_do:\n" /* (number, arguments) */
        "    mov %rdi, %rax\n"
        "    mov %rsi, %rcx\n"
        "    mov 0(%rcx), %rdi\n"
        "    mov 8(%rcx), %rsi\n"
        "    mov 16(%rcx), %rdx\n"
        "    mov 24(%rcx), %r10\n"
        "    mov 32(%rcx), %r8\n"
        "    mov 40(%rcx), %r9\n"
        "    syscall\n"
        "    ret\n"
        ".size pb_syscall_do, . - pb_syscall_do\n"
        ".type pb_syscall_restore, @function\n"
        "pb_syscall_restore:\n"
        "    mov $15, %eax\n" /* rt_sigreturn */
        "    syscall\n"
        "    ud2\n" /* what follows a call belongs to the stretch, too */
        ".size pb_syscall_restore, . - pb_syscall_restore\n"
        ".popsection\n");

int64_t pb_syscall_do(int64_t number, const int64_t arguments[N_ARGUMENTS]);
void pb_syscall_restore(void);
extern const char __start_pb_syscalls[]; /* NOLINT: named by the linker */
extern const char __stop_pb_syscalls[];  /* NOLINT: named by the linker */

static struct {
    volatile char selector; /* what the kernel reads before every call of this thread */
    bool lost;
    int64_t n;
    struct kernel_sigaction before;
} counter;

static bool is_for_memory(int64_t number)
{
    switch (number) {
    case SYS_brk:
    case SYS_mmap:
    case SYS_munmap:
    case SYS_mremap:
    case SYS_mprotect:
    case SYS_madvise:
        return true;
    default:
        return false;
    }
}

/* What a handler can't do for its caller: it would return on another stack, or be undone by it. */
static bool is_beyond_a_handler(int64_t number)
{
    switch (number) {
    case SYS_clone:
    case SYS_clone3:
    case SYS_fork:
    case SYS_vfork:
    case SYS_rt_sigreturn:
    case SYS_sigaltstack:
        return true;
    default:
        return false;
    }
}

/*
 * The mask of the thread is what the handler returns to, so the call is made on that. A SIGSYS that
 * is blocked would end the process.
 */
static int64_t change_mask(sigset_t *mask, const int64_t *arguments)
{
    const int how = (int)arguments[0];
    const uint64_t *set = (const uint64_t *)arguments[1]; /* NOLINT(performance-no-int-to-ptr) */
    uint64_t *old = (uint64_t *)arguments[2];             /* NOLINT(performance-no-int-to-ptr) */
    const uint64_t never = UINT64_C(1) << (SIGSYS - 1);
    uint64_t now;
    if (arguments[3] != KERNEL_SIGSET_BYTES ||
        (set != NULL && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)) {
        return -EINVAL;
    }
    memcpy(&now, mask, sizeof now);
    const uint64_t before = now;
    if (set != NULL) {
        now = how == SIG_BLOCK ? now | *set : how == SIG_UNBLOCK ? now & ~*set : *set;
        now &= ~never;
        memcpy(mask, &now, sizeof now);
    }
    if (old != NULL) {
        *old = before;
    }
    return 0;
}

static void on_call(int number, siginfo_t *info, void *context)
{
    (void)number;
    ucontext_t *caller = context;
    greg_t *registers = caller->uc_mcontext.gregs;
    const int64_t call = info->si_syscall;
    const int64_t arguments[N_ARGUMENTS] = {registers[REG_RDI], registers[REG_RSI],
                                            registers[REG_RDX], registers[REG_R10],
                                            registers[REG_R8],  registers[REG_R9]};
    if (is_beyond_a_handler(call)) {
        enum { SYSCALL_INSTRUCTION_BYTES = 2 };
        counter.lost = true;
        counter.selector = SYSCALL_DISPATCH_FILTER_ALLOW;
        registers[REG_RIP] -= SYSCALL_INSTRUCTION_BYTES; /* it is made again, and goes through */
        return;
    }
    counter.n += !is_for_memory(call);
    registers[REG_RAX] = call == SYS_rt_sigprocmask ? change_mask(&caller->uc_sigmask, arguments)
                                                    : pb_syscall_do(call, arguments);
}

bool syscall_counter_begin(void)
{
    const struct kernel_sigaction action = {
        .handler = on_call,
        .flags = SA_SIGINFO | KERNEL_SA_RESTORER,
        .restorer = pb_syscall_restore,
    };
    counter.selector = SYSCALL_DISPATCH_FILTER_ALLOW;
    counter.lost = false;
    counter.n = 0;
    if (syscall(SYS_rt_sigaction, SIGSYS, &action, &counter.before, KERNEL_SIGSET_BYTES) != 0) {
        return false;
    }
    if (prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, __start_pb_syscalls,
              __stop_pb_syscalls - __start_pb_syscalls, &counter.selector) != 0) {
        (void)syscall(SYS_rt_sigaction, SIGSYS, &counter.before, NULL, KERNEL_SIGSET_BYTES);
        return false;
    }
    counter.selector = SYSCALL_DISPATCH_FILTER_BLOCK;
    return true;
}

int64_t syscall_counter_end(void)
{
    counter.selector = SYSCALL_DISPATCH_FILTER_ALLOW;
    (void)prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0, 0, 0);
    (void)syscall(SYS_rt_sigaction, SIGSYS, &counter.before, NULL, KERNEL_SIGSET_BYTES);
    return counter.lost ? -1 : counter.n;
}

#else

bool syscall_counter_begin(void)
{
    return false;
}

int64_t syscall_counter_end(void)
{
    return -1;
}

#endif
