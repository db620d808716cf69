package trackside.runtime;

import static trackside.runtime.Shadow.NOBODY;

import jdk.internal.vm.annotation.DontInline;

/**
 * Owners that an object had one after the other. If everything that its owner did to an object happened, by forks and joins, before
 * another thread comes to it, that one is the owner from then on, and there is nothing to write: the trace has those forks and joins.
 * What the former ones did is kept for threads that do not know of it. What a later owner did comes after it, and may take its place.
 */
final class Formers {
    /** So many may have had an object and have left something there. */
    private static final int MOST = 3;

    private static final int ALL = Integer.MAX_VALUE;

    /** So often in a row it may pass to somebody who uses it less than once for so many of its variables. */
    private static final int MOST_SHORT_PASSES = 8;

    private static final int VARIABLES_A_USE = 8;

    final Owner owner;
    /** As {@link Shadow#last} and {@link Shadow#lastRelease}. */
    final long[] last;

    long lastRelease;
    /** An earlier one. */
    Formers before;

    private Formers(Owner owner, long[] last, long lastRelease, Formers before) {
        this.owner = owner;
        this.last = last;
        this.lastRelease = lastRelease;
        this.before = before;
    }

    /** Makes the thread the owner of what another thread has had to itself until now. With the shadow locked; false if that cannot be. */
    @DontInline
    static boolean inherit(ThreadLog thread, Shadow shadow) {
        Owner owner = shadow.formerOwner;
        int bound = knownOf(thread, owner);
        boolean isPlain = shadow.lockDepth == 0
                && shadow.lastWriteBeforeUpdates == null
                && shadow.elements == null
                && shadow.content == null;
        if (bound < 0 || !isPlain || (int) (shadow.lastRelease >>> 32) > bound) return false;
        for (long where : shadow.last) if ((int) (where >>> 32) > bound || (where & Accesses.AS_UPDATE) != 0) return false;
        Formers formers = new Formers(owner, shadow.last, shadow.lastRelease, shadow.formers);
        formers.replaceEarlier();
        if (formers.count() > MOST || !isWorthwhile(shadow)) return false;
        shadow.formers = formers;
        shadow.last = new long[shadow.last.length];
        shadow.lastRelease = 0;
        shadow.owner = thread.id;
        shadow.formerOwner = thread.owner;
        return true;
    }

    /** Up to where in the log of an owner a thread knows, by forks and joins, what that one has done; -1 if it does not. */
    @DontInline
    static int knownOf(ThreadLog thread, Owner owner) {
        long joined = owner.joined;
        if (joined != 0) {
            int joiner = (int) (joined >>> 32) - 1;
            if (joiner == thread.id || (int) joined <= forkOf(thread, joiner)) return ALL;
        }
        int forked = forkOf(thread, owner.id);
        int told = Known.of(thread, owner.id);
        return told > forked && !Tasks.isInBlock(thread) ? told : forked;
    }

    /** What passes to and fro for a few accesses each had better be shared: to pass it takes a look at each of its variables. */
    private static boolean isWorthwhile(Shadow shadow) {
        shadow.shortPasses = 2 * VARIABLES_A_USE * shadow.uses < shadow.last.length ? shadow.shortPasses + 1 : 0;
        if (shadow.shortPasses >= MOST_SHORT_PASSES) return false;
        shadow.passes++;
        shadow.uses = 0;
        return true;
    }

    /** Where another thread has started this one, or who started it; -1 if it has not. */
    private static int forkOf(ThreadLog thread, int other) {
        if (other == thread.parent) return thread.parentPosition;
        return other == thread.grandparent ? thread.grandparentPosition : -1;
    }

    /** After a later write, an earlier access tells nothing; after a later read, an earlier read. */
    private void replaceEarlier() {
        Formers later = this;
        for (Formers each = before; each != null; each = each.before) {
            if (lastRelease != 0) each.lastRelease = 0;
            long left = each.lastRelease;
            for (int i = 0; i < each.last.length; i += 2) {
                boolean isWritten = last[i] != 0;
                if (isWritten) each.last[i] = 0;
                if (isWritten || last[i + 1] != 0) each.last[i + 1] = 0;
                left |= each.last[i] | each.last[i + 1];
            }
            if (left == 0) later.before = each.before;
            else later = each;
        }
    }

    private int count() {
        int count = 0;
        for (Formers each = this; each != null; each = each.before) count++;
        return count;
    }

    /** The last write of a variable before the last owner, with whoever wrote it; null if there is none. */
    Formers writing(int place) {
        Formers each = this;
        while (each != null && each.write(place) == 0) each = each.before;
        return each;
    }

    /** The last one before the last owner that has accessed a variable; null if there is none. */
    Formers accessing(int place) {
        Formers each = this;
        while (each != null && (each.write(place) | each.read(place)) == 0) each = each.before;
        return each;
    }

    /** Whether an earlier owner has accessed a variable. An update by the last one does not stand for that to those who update it, too. */
    static boolean isAccessed(Shadow shadow, int place) {
        return shadow.formers != null && shadow.formers.accessing(place) != null;
    }

    Formers releasing() {
        Formers each = this;
        while (each != null && each.lastRelease == 0) each = each.before;
        return each;
    }

    long write(int place) {
        return 2 * place < last.length ? last[2 * place] : 0;
    }

    long read(int place) {
        return 2 * place < last.length ? last[2 * place + 1] : 0;
    }

    /** Of this one and of earlier ones: something later stands for it. */
    void forget(int place) {
        for (Formers each = this; each != null; each = each.before) {
            if (2 * place >= each.last.length) continue;
            each.last[2 * place] = 0;
            each.last[2 * place + 1] = 0;
        }
    }

    void forgetReleases() {
        for (Formers each = this; each != null; each = each.before) each.lastRelease = 0;
    }
}
