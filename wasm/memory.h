/* Memory for the tables of names.h, which includes this where it has said how much of it there may be. */

extern u8 __heap_base;
static u32 top;
static struct {
  u8 *at;
  u32 bytes;
} spare;

/* A line of the cache: slots do not lie across two. */
#define LINE 64u

/* Zeros; null if there is no more. */
static void *allocate(u32 bytes) {
  if (top == 0) top = ((u32)&__heap_base + LINE - 1) & ~(LINE - 1);
  u64 end = (u64)top + bytes + SLACK;
  if (end > state.most_bytes) return 0;
  u32 pages = (u32)((end + 0xffff) >> 16);
  u32 present = __builtin_wasm_memory_size(0);
  if (pages > present) {
    /* Some more than needed, as every growth takes the views of JavaScript away. */
    u32 generous = pages + (pages >> 3) + 16;
    if (__builtin_wasm_memory_grow(0, generous - present) == -1 &&
        __builtin_wasm_memory_grow(0, pages - present) == -1)
      return 0;
  }
  void *at = (void *)top;
  top = (top + bytes + LINE - 1) & ~(LINE - 1);
  return at;
}

/* Remembers the largest piece that was given back; small pieces are taken from it. */
static void release(void *at, u32 bytes) {
  if (bytes <= spare.bytes) return;
  spare.at = at;
  spare.bytes = bytes;
}

/* Small pieces, one behind the other. */
#define PIECES_BYTES (64 * 1024)
static struct {
  u8 *at;
  u32 left;
} pieces;

/* Null if there is no more memory. */
static void *take_bytes(u32 bytes) {
  if (pieces.left < bytes + SLACK) {
    if (spare.bytes >= bytes + SLACK) {
      pieces.at = spare.at;
      pieces.left = spare.bytes;
      spare.bytes = 0;
    } else {
      u32 block = bytes + SLACK > PIECES_BYTES ? bytes + SLACK : PIECES_BYTES;
      u8 *at = allocate(block);
      if (!at) return 0;
      pieces.at = at;
      pieces.left = block;
    }
  }
  u8 *at = pieces.at;
  pieces.at += bytes;
  pieces.left -= bytes;
  return at;
}
