package trackside.runtime;

import static trackside.runtime.Shadow.*;

import jdk.internal.vm.annotation.DontInline;

/**
 * Accesses to something shared that come, by forks, joins and what the trace has already, after all accesses of others that they conflict
 * with: see {@link Known}. These need not be written, only remembered, until somebody comes who does not know of them. In a block everything
 * is written: what is done to data in a block is what is asked about.
 */
final class Ordered {
    private Ordered() {}

    /** With the shadow locked. */
    static void access(
            ThreadLog thread, Shadow shadow, int place, boolean isWrite, int site, int operation, Accesses.Named names) {
        if (isWrite) {
            if (!write(thread, shadow, place, site, operation)) Accesses.write(thread, shadow, place, site, operation, names);
        } else if (!read(thread, shadow, place, site, operation)) Accesses.read(thread, shadow, place, site, operation, names);
    }

    /** False if it has to be written. */
    @DontInline
    private static boolean read(ThreadLog thread, Shadow shadow, int place, int site, int operation) {
        if (!isPossible(thread, operation) || !isWriteKnown(thread, shadow, place)) return false;
        if (shadow.unwritten == null) shadow.unwritten = new Unwritten();
        shadow.unwritten.remember(thread, place, site);
        if (shadow.formerOwner == thread.owner) shadow.last[2 * place + 1] = 0;
        shadow.setReader(thread, place);
        return true;
    }

    @DontInline
    private static boolean write(ThreadLog thread, Shadow shadow, int place, int site, int operation) {
        if (!isPossible(thread, operation) || !isWriteKnown(thread, shadow, place) || !areReadsKnown(thread, shadow, place))
            return false;
        Leases.endCommon(thread, shadow);
        shadow.last[2 * place] = 0;
        shadow.last[2 * place + 1] = 0;
        if (shadow.formers != null) shadow.formers.forget(place);
        if (shadow.unwritten == null) shadow.unwritten = new Unwritten();
        shadow.unwritten.forgetReads(place);
        shadow.unwritten.rememberWrite(thread, place, site);
        shadow.readsToRemember = Unwritten.FIRST;
        shadow.setWriter(thread, place);
        return true;
    }

    private static boolean isPossible(ThreadLog thread, int operation) {
        return operation <= Records.WRITE
                && !Config.complete
                && thread.id < Unwritten.MOST_THREADS
                && !Tasks.isInBlock(thread);
    }

    private static boolean isKnown(ThreadLog thread, Owner owner, long where) {
        return owner == thread.owner || (int) (where >>> 32) <= Formers.knownOf(thread, owner);
    }

    private static boolean isWriteKnown(ThreadLog thread, Shadow shadow, int place) {
        int[] state = shadow.state;
        int at = PARTS * place;
        if ((state[at + FLAGS] & (UPDATED | SEVERAL)) != 0) return false;
        long last = shadow.last[2 * place];
        if (last != 0)
            return shadow.formerOwner == thread.owner
                    || (last & Accesses.AS_UPDATE) == 0
                            && shadow.lastWriteBeforeUpdates == null
                            && isKnown(thread, shadow.formerOwner, last);
        int writer = state[at + WRITER];
        if (writer == thread.id) return true;
        if (writer != NOBODY) {
            long where = shadow.unwritten == null ? 0 : shadow.unwritten.write(place);
            if (where != 0) return isKnown(thread, shadow.unwritten.owner(writer), where);
            // Who has read it since has learnt of it.
            return shadow.lastEpoch(thread, place) != 0 || Accesses.isKnownWrite(thread, state, at);
        }
        Formers former = shadow.formers == null ? null : shadow.formers.writing(place);
        return former == null || isKnown(thread, former.owner, former.write(place));
    }

    private static boolean areReadsKnown(ThreadLog thread, Shadow shadow, int place) {
        int[] state = shadow.state;
        int at = PARTS * place;
        int flags = state[at + FLAGS];
        boolean isAlone = (flags & MANY) == 0 && state[at + READER] == thread.id;
        if ((flags & READ_WRITTEN) != 0 && !isAlone) return false;
        long last = shadow.last[2 * place + 1];
        if (last != 0 && !isKnown(thread, shadow.formerOwner, last)) return false;
        Formers former = shadow.formers == null ? null : shadow.formers.accessing(place);
        if (former != null && !isKnown(thread, former.owner, Math.max(former.write(place), former.read(place)))) return false;
        Unwritten unwritten = shadow.unwritten;
        if (unwritten == null) return true;
        for (int id = 0; id < unwritten.bound(); id++) {
            long where = unwritten.read(id, place);
            if (where != 0 && !isKnown(thread, unwritten.owner(id), where)) return false;
        }
        return true;
    }
}
