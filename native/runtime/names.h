/* What things are called in the trace. Only the writer's thread calls this. */
#ifndef TRACKSIDE_NAMES_H
#define TRACKSIDE_NAMES_H

#include "trk.h"

enum { MOST_SITES = 6 };
u32 thread_id(u32 number);
u32 lock_id(uptr address, u32 generation);
u32 location_id(uptr pc);
/* As `0+1f2e!`. */
u32 location_marked(uptr pc, char mark);
u32 label_of_function(uptr pc);
void tell_guessed(uptr pc);
/* `fills 0+1f2e`: what the library does that is called there. */
void tell_call(uptr call, const char *what);
u32 label_of_text(const char *interned);
/* The variables that some bytes of a word are: gives how many, at most eight. */
u32 variables_of(uptr word, u32 mask, u32 *found);
void memory_allocated(uptr address, size_t size, const uptr *sites, u32 count);
void memory_freed(uptr address, size_t size);
void tell_modules(void);
void names_forget(void);

#endif
