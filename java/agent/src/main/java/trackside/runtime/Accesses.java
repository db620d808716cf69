package trackside.runtime;

import static trackside.runtime.Records.*;
import static trackside.runtime.Shadow.*;

import jdk.internal.vm.annotation.DontInline;

/**
 * What becomes of an access, with its shadow locked. While only one thread has touched an object, nothing is written:
 * it is remembered where that thread's last read and write of each variable were, and these are handed over when a second
 * thread comes. After that an access is written unless it is redundant: the same thread has accessed the variable in the same
 * innermost block, at least as strongly, nobody else in between, and nothing has come in from other threads since.
 */
final class Accesses {
    /** In what is remembered of a write: that it was an update. */
    static final long AS_UPDATE = 1L << 31;

    private Accesses() {}

    /** Names the variable when it is first written down. */
    interface Named {
        String name(Shadow shadow, int place);
    }

    /** Returns whether the object is the thread's own, so that nothing else is to be done. */
    static boolean isOwn(ThreadLog thread, Shadow shadow) {
        int owner = shadow.owner;
        if (owner == thread.id) return true;
        if (owner < NOBODY || Config.complete) return false;
        if (owner != NOBODY) {
            Leases.end(thread, shadow);
            return Formers.inherit(thread, shadow);
        }
        shadow.owner = thread.id;
        shadow.formerOwner = thread.owner;
        return true;
    }

    /** Of the owner: only where it was. */
    static void remember(ThreadLog thread, Shadow shadow, int place, boolean isWrite, int site) {
        thread.hasTouched = true;
        shadow.last[2 * place + (isWrite ? 0 : 1)] = thread.stamp | site;
    }

    static void rememberLock(ThreadLog thread, Shadow shadow, int site) {
        thread.hasTouched = true;
        shadow.lastRelease = thread.stamp | site;
    }

    /** Of the owner: an update, which commutes with others. */
    static void rememberUpdate(ThreadLog thread, Shadow shadow, int place, int site) {
        long before = shadow.last[2 * place];
        // After a look at it in the same block, what is written may depend on what was seen.
        boolean hasLooked = hasRead(thread, shadow, place);
        remember(thread, shadow, place, true, site);
        if (hasLooked) return;
        shadow.last[2 * place] |= AS_UPDATE;
        if (before != 0 && (before & AS_UPDATE) == 0) shadow.setWriteBeforeUpdates(place, before);
    }

    /**
     * Of anybody, once there is a second thread. `object` is null for a class. False if it is something of the JDK that only
     * the JDK uses.
     */
    static boolean shareUnlessInternal(ThreadLog thread, Shadow shadow, Object object) {
        if (shadow.owner == IGNORED) return false;
        if (shadow.owner != SHARED && object != null && isInternal(shadow, object)) {
            shadow.owner = IGNORED;
            return false;
        }
        share(thread, shadow, object);
        return true;
    }

    private static boolean isInternal(Shadow shadow, Object object) {
        Pieces within = shadow.within;
        if (within != null && within.isOfProgram) return false;
        boolean isInternal = Internals.isInternal(object);
        if (within != null && !isInternal) within.isOfProgram = true;
        return isInternal;
    }

    @DontInline
    static void share(ThreadLog thread, Shadow shadow, Object object) {
        if (shadow.owner == SHARED) return;
        // It may be the owner itself that does something others have to know of.
        if (shadow.owner != thread.id) Leases.end(thread, shadow);
        shadow.lease = 0;
        shadow.beginSharing();
        if (shadow.name == null)
            shadow.name = shadow.within == null ? Names.ofObject(object) : shadow.within.share(object);
        Variables.share(object, shadow);
        Owner owner = shadow.formerOwner;
        shadow.owner = SHARED;
        // Its release is going to be written, so its acquire has to be.
        if (shadow.lockDepth > 0 && owner != null && shadow.lockHolder == owner.id) {
            hand(thread, shadow, owner, ACQUIRE, lockId(shadow), shadow.lastRelease);
            shadow.isLockWritten = true;
            shadow.lastRelease = 0;
            if (shadow.formers != null) shadow.formers.forgetReleases();
        }
    }

    static int lockId(Shadow shadow) {
        if (shadow.lockId < 0) shadow.lockId = Variables.defineLock(shadow.name);
        return shadow.lockId;
    }

    /** Writes something in the name of a former owner; `where` is a position and a site of that one. */
    @DontInline
    private static void hand(ThreadLog thread, Shadow shadow, Owner owner, int operation, int operand, long where) {
        int position = Math.max((int) (where >>> 32) - 1, 0);
        thread.add(first(HANDED, 0, owner.id), second(NO_KEY, position));
        thread.add(first(operation, (int) where & 0xffffff, operand), second(shadow.key, shadow.version++));
    }

    static void handLock(ThreadLog thread, Shadow shadow) {
        long where = shadow.lastRelease;
        Owner owner = shadow.formerOwner;
        Formers before = shadow.formers == null ? null : shadow.formers.releasing();
        if (where == 0 && before != null && owner != thread.owner) {
            where = before.lastRelease;
            owner = before.owner;
        }
        shadow.lastRelease = 0;
        if (before != null) before.forgetReleases();
        if (where != 0 && owner != thread.owner) hand(thread, shadow, owner, LOCKED_AND_RELEASED, lockId(shadow), where);
    }

    /**
     * Whether nothing has to be done for an access to what is shared: the thread has read it before in this epoch, or written it, and
     * nobody else has touched it since. What its owner had to hand over was handed over then.
     */
    static boolean isRepeated(ThreadLog thread, Shadow shadow, int place, boolean isWrite) {
        if (shadow.owner != SHARED || Config.everything) return false;
        int[] state = shadow.state;
        int at = PARTS * place;
        if (isWrite)
            return state[at + WRITER] == thread.id
                    && state[at + WRITE_EPOCH] == thread.epoch
                    && state[at + READER] == NOBODY
                    && state[at + FLAGS] == 0;
        int reader = state[at + READER];
        if (reader == NOBODY)
            return state[at + WRITER] == thread.id
                    && state[at + WRITE_EPOCH] == thread.epoch
                    && (state[at + FLAGS] & UPDATED) == 0;
        int lastEpoch = reader == thread.id ? state[at + READ_EPOCH] : shadow.readEpoch(thread.id, place);
        if (lastEpoch != thread.epoch) return false;
        shadow.repeatedRead(thread, place);
        return true;
    }

    @DontInline
    static void read(ThreadLog thread, Shadow shadow, int place, int site, int operation, Named names) {
        int[] state = shadow.state;
        int at = PARTS * place;
        int me = thread.id;
        long lastWrite = shadow.last[2 * place];
        if (shadow.formerOwner == thread.owner) shadow.last[2 * place + 1] = 0;
        else if (lastWrite != 0) handWrite(thread, shadow, place, at, operation, names);
        // Also for the last owner, which knows of it: once its read is written, the write before it could only come too late.
        if (lastWrite == 0 && shadow.formers != null) handEarlierWrite(thread, shadow, place, at, operation, names);
        boolean isHanded = handUnwrittenWrite(thread, shadow, place, at, operation, names);
        state = shadow.state;
        boolean isReader = state[at + READER] == me;
        int lastEpoch = shadow.lastEpoch(thread, place);
        if (lastEpoch == thread.epoch && !Config.everything) return;
        int writer = state[at + WRITER];
        if (writer == me && isRepeated(thread, shadow, place, false)) return;
        boolean isOfOthers = writer != NOBODY && writer != me || (state[at + FLAGS] & SEVERAL) != 0;
        // Who has read it since the last write has learnt of that already.
        boolean isIncoming = isHanded || isOfOthers && !isReader && lastEpoch == 0 && !isKnownWrite(thread, state, at);
        if (lastEpoch != 0 && !isHanded && isRemembered(thread, shadow, place, site)) {
            if (isReader) state[at + READ_EPOCH] = thread.epoch;
            else shadow.displaceReader(me, place, thread.epoch);
            return;
        }
        if (isIncoming) {
            thread.epoch++;
            if ((state[at + FLAGS] & UPDATED) == 0) shadow.learn(thread, place);
        }
        shadow.setReader(thread, place);
        state[at + FLAGS] |= READ_WRITTEN;
        // A later read stands for it.
        if (shadow.unwritten != null) shadow.unwritten.forgetRead(me, place);
        write(thread, shadow, at, place, operation, isIncoming, site, names);
    }

    /** Of a thread that has read the variable since the last write: whether it is enough to remember that it does so again. */
    private static boolean isRemembered(ThreadLog thread, Shadow shadow, int place, int site) {
        if (Config.complete || Config.everything) return false;
        if (shadow.readsToRemember > 0) {
            shadow.readsToRemember--;
            return false;
        }
        if (shadow.unwritten == null) shadow.unwritten = new Unwritten();
        return shadow.unwritten.remember(thread, place, site);
    }

    /** The last write of another one, if it was not written; whether it was so. */
    private static boolean handUnwrittenWrite(
            ThreadLog thread, Shadow shadow, int place, int at, int operation, Named names) {
        Unwritten unwritten = shadow.unwritten;
        if (unwritten == null || unwritten.write(place) == 0 || shadow.state[at + WRITER] == thread.id) return false;
        int kind = operation >= VOLATILE_READ ? VOLATILE_WRITE : WRITE;
        Owner writer = unwritten.owner(shadow.state[at + WRITER]);
        hand(thread, shadow, writer, kind, variable(shadow, at, place, names), unwritten.takeWrite(place));
        return true;
    }

    /**
     * Before a write: the last accesses of others that were not written; whether there are any. Its own ones go without saying, but if
     * it is an update: to whoever makes one, too, they still have to be handed.
     */
    private static boolean handUnwritten(
            ThreadLog thread, Shadow shadow, int place, int at, int operation, Named names) {
        Unwritten unwritten = shadow.unwritten;
        if (unwritten == null) return false;
        boolean isHanded = handUnwrittenWrite(thread, shadow, place, at, operation, names);
        if (operation != VOLATILE_UPDATE) {
            unwritten.takeWrite(place);
            unwritten.forgetRead(thread.id, place);
        }
        for (int id = 0; id < unwritten.bound(); id++) {
            if (id == thread.id) continue;
            long where = unwritten.takeRead(id, place);
            if (where == 0) continue;
            int kind = operation >= VOLATILE_READ ? VOLATILE_READ : READ;
            hand(thread, shadow, unwritten.owner(id), kind, variable(shadow, at, place, names), where);
            isHanded = true;
        }
        return isHanded;
    }

    @DontInline
    static void write(ThreadLog thread, Shadow shadow, int place, int site, int operation, Named names) {
        Leases.endCommon(thread, shadow);
        int[] state = shadow.state;
        int at = PARTS * place;
        int me = thread.id;
        long[] last = shadow.last;
        if (shadow.formerOwner == thread.owner) {
            // An update makes up for nothing that is more than that.
            if (operation != VOLATILE_UPDATE) {
                last[2 * place] = 0;
                shadow.takeWriteBeforeUpdates(place);
            } else if ((last[2 * place] & AS_UPDATE) != 0) last[2 * place] = shadow.takeWriteBeforeUpdates(place);
            if (operation != VOLATILE_UPDATE) last[2 * place + 1] = 0;
            // Whoever makes an update, too, comes after what was before this one, and not after this one.
            if (operation == VOLATILE_UPDATE && shadow.formers != null) handEarlier(thread, shadow, place, at, operation, names);
        } else if ((last[2 * place] | last[2 * place + 1]) != 0) {
            // The later of the two orders everything that the earlier one does, but it may stand in another block.
            if (last[2 * place] != 0) handWrite(thread, shadow, place, at, operation, names);
            if (last[2 * place + 1] != 0) handRead(thread, shadow, place, at, operation, names);
        } else if (shadow.formers != null) handEarlier(thread, shadow, place, at, operation, names);
        if (shadow.formers != null) shadow.formers.forget(place);
        boolean isHanded = handUnwritten(thread, shadow, place, at, operation, names);
        shadow.readsToRemember = Unwritten.FIRST;
        int writer = state[at + WRITER];
        int reader = state[at + READER];
        int flags = state[at + FLAGS];
        boolean isAlone = !isHanded && (flags & MANY) == 0 && (reader == NOBODY || reader == me);
        boolean isUpdate = operation == VOLATILE_UPDATE;
        boolean isAsStrong = isUpdate || (flags & UPDATED) == 0;
        if (writer == me && isAlone && isAsStrong && state[at + WRITE_EPOCH] == thread.epoch && !Config.everything) return;
        boolean isOfOthers = writer != NOBODY && writer != me;
        boolean isIncoming = !isAlone || isOfOthers && !isKnownWrite(thread, state, at) || (flags & SEVERAL) != 0;
        if (isIncoming) thread.epoch++;
        shadow.forgetReaders(place);
        state[at + WRITER] = me;
        state[at + WRITE_EPOCH] = thread.epoch;
        state[at + READER] = NOBODY;
        boolean isOneOfSeveral = (flags & SEVERAL) != 0 || (flags & UPDATED) != 0 && isOfOthers;
        state[at + FLAGS] = !isUpdate ? 0 : isOneOfSeveral ? UPDATED | SEVERAL : UPDATED;
        write(thread, shadow, at, place, operation, isIncoming, site, names);
        shadow.tell(thread, place);
        if (operation >= VOLATILE_READ) thread.gaveAway();
    }

    /** Whether the last write of a variable tells the thread nothing: it comes before by what the trace has already. */
    static boolean isKnownWrite(ThreadLog thread, int[] state, int at) {
        int position = state[at + WRITE_POSITION];
        return position > 0
                && (state[at + FLAGS] & (UPDATED | SEVERAL)) == 0
                && Known.of(thread, state[at + WRITER]) >= position
                && !Tasks.isInBlock(thread);
    }

    /** Whether the thread has read the variable in its outermost open block, and nobody has written it since. */
    static boolean hasRead(ThreadLog thread, Shadow shadow, int place) {
        return has(thread, shadow, place, READER, 1);
    }

    /** Whether the thread was the last to write the variable, in its outermost open block. */
    static boolean hasWritten(ThreadLog thread, Shadow shadow, int place) {
        return has(thread, shadow, place, WRITER, 0);
    }

    private static boolean has(ThreadLog thread, Shadow shadow, int place, int who, int which) {
        if (thread.openBlocks == 0) return false;
        if (shadow.owner == thread.id) return (int) (shadow.last[2 * place + which] >>> 32) - 1 > thread.transactionBegin;
        if (shadow.owner != SHARED) return false;
        int at = PARTS * place + who;
        if (shadow.state[at] == thread.id) return shadow.state[at + 1] >= thread.transaction;
        return who == READER && shadow.readEpoch(thread.id, place) >= thread.transaction;
    }

    private static void handWrite(
            ThreadLog thread, Shadow shadow, int place, int at, int operation, Named names) {
        boolean isVolatile = operation >= VOLATILE_READ;
        int variable = variable(shadow, at, place, names);
        long where = shadow.last[2 * place];
        long before = shadow.takeWriteBeforeUpdates(place);
        Owner owner = shadow.formerOwner;
        if (before != 0) hand(thread, shadow, owner, VOLATILE_WRITE, variable, before);
        int kind = !isVolatile ? WRITE : (where & AS_UPDATE) != 0 ? VOLATILE_UPDATE : VOLATILE_WRITE;
        hand(thread, shadow, owner, kind, variable, where);
        shadow.last[2 * place] = 0;
        if (shadow.formers != null) shadow.formers.forget(place);
        setWriter(shadow, at, owner, kind);
    }

    private static void setWriter(Shadow shadow, int at, Owner owner, int kind) {
        int[] state = shadow.state;
        if (state[at + WRITER] != NOBODY) return;
        state[at + WRITER] = owner.id;
        state[at + WRITE_EPOCH] = 0;
        state[at + WRITE_POSITION] = 0;
        state[at + TOLD_POSITION] = 0;
        if (kind == VOLATILE_UPDATE) state[at + FLAGS] |= UPDATED;
    }

    /** For a read, if the last owner has not written the variable. */
    private static void handEarlierWrite(
            ThreadLog thread, Shadow shadow, int place, int at, int operation, Named names) {
        Formers former = shadow.formers.writing(place);
        if (former == null || former.owner == thread.owner) return;
        int kind = operation >= VOLATILE_READ ? VOLATILE_WRITE : WRITE;
        hand(thread, shadow, former.owner, kind, variable(shadow, at, place, names), former.write(place));
        former.forget(place);
        setWriter(shadow, at, former.owner, kind);
    }

    /** For a write, if the last owner has not accessed the variable. */
    private static void handEarlier(
            ThreadLog thread, Shadow shadow, int place, int at, int operation, Named names) {
        Formers former = shadow.formers.accessing(place);
        if (former == null || former.owner == thread.owner) return;
        boolean isVolatile = operation >= VOLATILE_READ;
        int variable = variable(shadow, at, place, names);
        if (former.write(place) != 0) {
            int kind = isVolatile ? VOLATILE_WRITE : WRITE;
            hand(thread, shadow, former.owner, kind, variable, former.write(place));
            setWriter(shadow, at, former.owner, kind);
        }
        if (former.read(place) == 0) return;
        hand(thread, shadow, former.owner, isVolatile ? VOLATILE_READ : READ, variable, former.read(place));
        setReader(shadow, at, former.owner);
    }

    private static void handRead(
            ThreadLog thread, Shadow shadow, int place, int at, int operation, Named names) {
        boolean isVolatile = operation >= VOLATILE_READ;
        int variable = variable(shadow, at, place, names);
        hand(thread, shadow, shadow.formerOwner, isVolatile ? VOLATILE_READ : READ, variable, shadow.last[2 * place + 1]);
        shadow.last[2 * place + 1] = 0;
        setReader(shadow, at, shadow.formerOwner);
    }

    private static void setReader(Shadow shadow, int at, Owner owner) {
        int[] state = shadow.state;
        state[at + FLAGS] |= READ_WRITTEN;
        if (state[at + READER] != NOBODY && state[at + READER] != owner.id) state[at + FLAGS] |= MANY;
        else state[at + READER] = owner.id;
    }

    private static int variable(Shadow shadow, int at, int place, Named names) {
        int[] state = shadow.state;
        if (state[at + VARIABLE] == 0) state[at + VARIABLE] = Variables.define(names.name(shadow, place)) + 1;
        return state[at + VARIABLE] - 1;
    }

    private static void write(
            ThreadLog thread,
            Shadow shadow,
            int at,
            int place,
            int operation,
            boolean isIncoming,
            int site,
            Named names) {
        int variable = variable(shadow, at, place, names);
        thread.add(
                first(isIncoming ? operation | INCOMING : operation, site, variable),
                second(shadow.key, shadow.version++));
    }
}
