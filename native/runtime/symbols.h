/* Names of functions and of global variables, from the symbol tables of the files that the program is loaded from. */
#ifndef TRACKSIDE_SYMBOLS_H
#define TRACKSIDE_SYMBOLS_H

#include "rt.h"

struct symbols { struct symbol *at; u32 count, state; };

/* The symbol that an address in the file is in, or NULL. The table is read when it is first asked for. */
const struct symbol *symbols_find(struct symbols *symbols, const char *path, uptr base, uptr offset);
/* Whoever was reading the table is not here. */
void symbols_after_fork(struct symbols *symbols);
/* As people write it: without parameters, without what the compiler appends. */
size_t symbol_text(const struct symbol *s, char *text, size_t size);
u32 flags_of_function(const struct symbol *s);

#endif
