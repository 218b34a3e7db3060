/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/worker/own_pages.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Puts a copy where the original is. The original is mapped until the copy has taken its place. */
static void move(uintptr_t start, size_t size_bytes)
{
    void *original = (void *)start; /* NOLINT(performance-no-int-to-ptr): where the linker put it */
    void *copy = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED) {
        return;
    }
    madvise(copy, size_bytes, MADV_NOHUGEPAGE); /* luck that one side has and another has not */
    memcpy(copy, original, size_bytes);
    if (mprotect(copy, size_bytes, PROT_READ | PROT_EXEC) != 0 ||
        mremap(copy, size_bytes, size_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, original) ==
            MAP_FAILED) {
        munmap(copy, size_bytes);
    }
}

static int move_segments(struct dl_phdr_info *info, size_t size, void *wanted)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    (void)size;
    if (info->dlpi_addr != *(const ElfW(Addr) *)wanted) {
        return 0;
    }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && segment->p_flags == (PF_R | PF_X)) {
            const uintptr_t start = (info->dlpi_addr + segment->p_vaddr) & ~(page - 1);
            const uintptr_t end = info->dlpi_addr + segment->p_vaddr + segment->p_filesz;
            move(start, (end - start + page - 1) & ~(page - 1));
        }
    }
    return 1;
}

void own_pages(void *object)
{
    struct link_map *map = NULL;
    if (dlinfo(object, RTLD_DI_LINKMAP, &map) == 0) {
        dl_iterate_phdr(move_segments, &map->l_addr);
    }
}
