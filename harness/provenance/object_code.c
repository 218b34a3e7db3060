/* SPDX-License-Identifier: Apache-2.0
 *
 * Files are mapped and every offset is checked against their size: they may be anything.
 */
#include "provenance/object_code.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct object {
    const unsigned char *data; /* mapped; NULL = could not be */
    size_t size;
    const ElfW(Shdr) * sections;
    size_t n_sections;
};

static bool map(const char *path, struct object *object)
{
    *object = (struct object){0};
    struct stat file;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && file.st_size > 0) {
        void *mapped = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        object->data = mapped != MAP_FAILED ? mapped : NULL;
        object->size = (size_t)file.st_size;
    }
    close(fd);
    return object->data != NULL;
}

static void unmap(struct object *object)
{
    if (object->data != NULL) {
        munmap((void *)object->data, object->size);
    }
}

/* Whether n bytes at an offset lie within the file. */
static bool holds(const struct object *object, uint64_t offset, uint64_t n)
{
    return offset <= object->size && n <= object->size - offset;
}

static bool find_sections(struct object *object)
{
    static const unsigned char kind = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    const ElfW(Ehdr) *header = (const void *)object->data;
    if (!holds(object, 0, sizeof *header) || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != kind || header->e_shentsize != sizeof *object->sections ||
        header->e_shoff % _Alignof(ElfW(Shdr)) != 0 ||
        !holds(object, header->e_shoff, (uint64_t)header->e_shnum * header->e_shentsize)) {
        return false;
    }
    object->sections = (const void *)(object->data + header->e_shoff);
    object->n_sections = header->e_shnum;
    return header->e_shnum > 0;
}

/* The next section, from *at on, that is loaded and says what the program does; NULL at the end. */
static const ElfW(Shdr) * next_loaded(const struct object *object, size_t *at)
{
    while (*at < object->n_sections) {
        const ElfW(Shdr) *section = &object->sections[(*at)++];
        if ((section->sh_flags & SHF_ALLOC) != 0 && section->sh_type != SHT_NOTE) {
            return section;
        }
    }
    return NULL;
}

static bool same_section(const struct object *a, const ElfW(Shdr) * left, const struct object *b,
                         const ElfW(Shdr) * right)
{
    if (left->sh_type != right->sh_type || left->sh_flags != right->sh_flags ||
        left->sh_addr != right->sh_addr || left->sh_size != right->sh_size) {
        return false;
    }
    return left->sh_type == SHT_NOBITS ||
           (holds(a, left->sh_offset, left->sh_size) && holds(b, right->sh_offset, left->sh_size) &&
            memcmp(a->data + left->sh_offset, b->data + right->sh_offset, left->sh_size) == 0);
}

static bool same_sections(const struct object *a, const struct object *b)
{
    size_t at_a = 0;
    size_t at_b = 0;
    for (;;) {
        const ElfW(Shdr) *left = next_loaded(a, &at_a);
        const ElfW(Shdr) *right = next_loaded(b, &at_b);
        if (left == NULL || right == NULL) {
            return left == right;
        }
        if (!same_section(a, left, b, right)) {
            return false;
        }
    }
}

bool pb_object_code_same(const char *path, const char *other_path)
{
    struct object a;
    struct object b;
    const bool mapped = map(path, &a);
    const bool both = map(other_path, &b) && mapped;
    const bool same = both && find_sections(&a) && find_sections(&b) && same_sections(&a, &b);
    unmap(&a);
    unmap(&b);
    return same;
}

/* The first section of a kind; NULL when there is none within the file. */
static const ElfW(Shdr) * find_kind(const struct object *object, uint32_t kind)
{
    for (size_t i = 0; i < object->n_sections; i++) {
        const ElfW(Shdr) *section = &object->sections[i];
        if (section->sh_type == kind && holds(object, section->sh_offset, section->sh_size)) {
            return section;
        }
    }
    return NULL;
}

/* The strings of a section; NULL unless they end within the file. */
static const char *strings_of(const struct object *object, size_t index, size_t *size)
{
    if (index >= object->n_sections) {
        return NULL;
    }
    const ElfW(Shdr) *section = &object->sections[index];
    if (section->sh_size == 0 || !holds(object, section->sh_offset, section->sh_size)) {
        return NULL;
    }
    const char *strings = (const char *)object->data + section->sh_offset;
    *size = (size_t)section->sh_size;
    return strings[*size - 1] == '\0' ? strings : NULL;
}

static void gather_needs(const struct object *object, struct pb_arena *arena,
                         struct pb_object_needs *needs)
{
    size_t size = 0;
    const ElfW(Shdr) *dynamic = find_kind(object, SHT_DYNAMIC);
    const char *strings = dynamic != NULL ? strings_of(object, dynamic->sh_link, &size) : NULL;
    if (strings == NULL || dynamic->sh_offset % _Alignof(ElfW(Dyn)) != 0) {
        return;
    }
    const ElfW(Dyn) *entries = (const void *)(object->data + dynamic->sh_offset);
    const size_t n = (size_t)dynamic->sh_size / sizeof *entries;
    needs->names = pb_arena_array(arena, n, sizeof *needs->names);
    for (size_t i = 0; i < n && entries[i].d_tag != DT_NULL; i++) {
        if (entries[i].d_tag == DT_NEEDED && entries[i].d_un.d_val < size) {
            needs->names[needs->n++] = pb_arena_strdup(arena, strings + entries[i].d_un.d_val);
        }
    }
}

struct pb_object_needs pb_object_code_needs(const char *path, struct pb_arena *arena)
{
    struct pb_object_needs needs = {0};
    struct object object;
    if (map(path, &object) && find_sections(&object)) {
        gather_needs(&object, arena, &needs);
    }
    unmap(&object);
    return needs;
}

bool pb_object_code_is(const char *path)
{
    char magic[SELFMAG];
    struct stat file;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return false;
    }
    const bool is = fstat(fd, &file) == 0 && S_ISREG(file.st_mode) &&
                    read(fd, magic, sizeof magic) == (ssize_t)sizeof magic &&
                    memcmp(magic, ELFMAG, SELFMAG) == 0;
    close(fd);
    return is;
}
