package trackside.runtime;

/**
 * How far the merger is with a thread: the blocks that are open there, which of them are written, and where the thread has
 * touched data of its own that is not written.
 */
final class Merged {
    /** The number of the thread in the trace; -1 until it has an event. */
    int traceId = -1;

    int[] labels = new int[8];
    int[] sites = new int[8];
    /** The number of the record with which each open block began. */
    int[] beginnings = new int[8];

    int depth;
    int written;

    /**
     * By how many blocks are around it: whether the thread has touched data of its own there since the last token. Never so
     * around a block whose begin is written.
     */
    private boolean[] touched = new boolean[9];

    /** Whether another thread has waited for its end: nothing may come after that. */
    boolean isJoined;

    /** Where, in the log of the thread in whose name the next record stands, that belongs. */
    ThreadLog handedFrom;

    int handedPosition;

    boolean hasBegun;
    boolean hasEvents;

    /** The tokens that are still known, in their order; those before `firstToken` are not. */
    private Token[] tokens = new Token[4];

    private int firstToken;
    private int tokenCount;
    /** What was touched before this record has a token, or had one. */
    private int tokenBound = -1;

    private int forgottenBound = -1;

    void begin(int label, int site, int record) {
        hasBegun = true;
        if (depth == labels.length) {
            labels = java.util.Arrays.copyOf(labels, 2 * depth);
            sites = java.util.Arrays.copyOf(sites, 2 * depth);
            beginnings = java.util.Arrays.copyOf(beginnings, 2 * depth);
            touched = java.util.Arrays.copyOf(touched, 2 * depth + 1);
        }
        labels[depth] = label;
        sites[depth] = site;
        beginnings[depth] = record;
        depth++;
    }

    /** The begins of blocks are events, too: without any, the fork and the join of the thread would order nothing. */
    boolean hasOnlyEmptyBlocks() {
        return hasBegun && !hasEvents;
    }

    /** The thread is over: no block is open, and none will be. */
    void forgetBlocks() {
        labels = sites = beginnings = new int[0];
        touched = new boolean[] {touched[0]};
    }

    /** What was touched in the block may as well have been touched after it, as it cannot be violated any more. */
    void end() {
        touched[depth - 1] |= touched[depth];
        touched[depth--] = false;
    }

    /** What is done from now on is another execution of the blocks that are open. */
    void beginAgain(int record) {
        for (int i = 1; i <= depth; i++) {
            touched[0] |= touched[i];
            touched[i] = false;
        }
        java.util.Arrays.fill(beginnings, 0, depth, record);
    }

    void touch() {
        touched[depth] = true;
    }

    boolean isTouched(int level) {
        return touched[level];
    }

    /** In how many of the open blocks the thread was at a place of its log. */
    int levelAt(int position) {
        int level = depth;
        while (level > 0 && beginnings[level - 1] >= position) level--;
        return level;
    }

    /** A token was written for what was touched with so many blocks around it. */
    void add(Token token, int level) {
        touched[level] = false;
        tokenBound = token.bound;
        if (firstToken + tokenCount == tokens.length) {
            Token[] room = 2 * tokenCount > tokens.length ? new Token[2 * tokens.length] : tokens;
            System.arraycopy(tokens, firstToken, room, 0, tokenCount);
            if (room == tokens) java.util.Arrays.fill(room, tokenCount, room.length, null);
            tokens = room;
            firstToken = 0;
        }
        tokens[firstToken + tokenCount++] = token;
    }

    void forgetFirstToken() {
        forgottenBound = tokens[firstToken].bound;
        tokens[firstToken++] = null;
        tokenCount--;
    }

    /** One of those that are known, which is forgotten; null if there is none. */
    Token takeToken() {
        if (tokenCount == 0) return null;
        Token first = tokens[firstToken];
        forgetFirstToken();
        return first;
    }

    boolean hasToken(int position) {
        return position <= tokenBound;
    }

    /** The token of what was touched there; null if it is forgotten. */
    Token tokenAt(int position) {
        int low = firstToken;
        int high = firstToken + tokenCount;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (tokens[middle].bound < position) low = middle + 1;
            else high = middle;
        }
        return position > forgottenBound && low < firstToken + tokenCount ? tokens[low] : null;
    }
}
