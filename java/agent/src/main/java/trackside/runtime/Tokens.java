package trackside.runtime;

import static trackside.runtime.Records.*;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All tokens, and the debts that are to be paid with them. A debt is an access of a former owner that would have had to stand where a
 * token is: whoever accesses the variable so that the two conflict reads the token before that.
 */
final class Tokens {
    /** So many are known at a time. */
    private static final int MOST = 1 << 18;

    /** `site` is where the former owner did it. */
    static final class Debt {
        final Token token;
        final int operation;
        final int site;
        final Debt next;
        final Set<ThreadLog> paid = new HashSet<>();

        private Debt(Token token, int operation, int site, Debt next) {
            this.token = token;
            this.operation = operation;
            this.site = site;
            this.next = next;
        }
    }

    /** All that are known, oldest first: a ring, of which this one is the beginning and the end. */
    private final Token ring = new Token(null, 0, -1);

    private int known;
    private final List<Integer> gone = new ArrayList<>();
    private final Map<Integer, Debt> debts = new HashMap<>();
    long count;

    Tokens() {
        ring.previous = ring.next = ring;
    }

    Token add(ThreadLog log, int level, int record) {
        if (known == MOST) {
            Token oldest = ring.next;
            oldest.owner.forgetFirstToken();
            forget(oldest);
        }
        String name = "own data of " + log.name + " #" + ++count;
        Token token = new Token(log.merged, record, Variables.define(name));
        token.previous = ring.previous;
        token.next = ring;
        ring.previous.next = token;
        ring.previous = token;
        known++;
        log.merged.add(token, level);
        return token;
    }

    private void forget(Token token) {
        token.previous.next = token.next;
        token.next.previous = token.previous;
        token.previous = token.next = null;
        known--;
        token.isForgotten = true;
        if (token.debts == 0) gone.add(token.variable);
    }

    /** Nothing of these threads will be handed over any more, and they do nothing. */
    void forgetAll(List<ThreadLog> threads) {
        for (ThreadLog log : threads)
            for (Token token = log.merged.takeToken(); token != null; token = log.merged.takeToken()) forget(token);
        Set<ThreadLog> left = new HashSet<>(threads);
        for (Debt first : debts.values())
            for (Debt debt = first; debt != null; debt = debt.next) debt.paid.removeIf(left::contains);
    }

    boolean hasDebts() {
        return !debts.isEmpty();
    }

    void owe(int variable, int operation, int site, Token token) {
        token.debts++;
        debts.put(variable, new Debt(token, kind(operation), site, debts.get(variable)));
    }

    /** What the thread has to read before its access to the variable; null if nothing. */
    List<Debt> due(ThreadLog log, int operation, int variable) {
        Debt first = debts.get(variable);
        if (first == null) return null;
        int kind = kind(operation);
        List<Debt> due = new ArrayList<>();
        for (Debt debt = first; debt != null; debt = debt.next) {
            boolean isConflict = kind == WRITE || kind != debt.operation;
            if (isConflict && debt.token.owner != log.merged && debt.paid.add(log)) due.add(debt);
        }
        // Everything that comes later comes after this, too.
        if (kind == WRITE) forget(variable);
        return due;
    }

    /** The variable is gone, or what was owed is paid. */
    void forget(int variable) {
        for (Debt debt = debts.remove(variable); debt != null; debt = debt.next)
            if (--debt.token.debts == 0 && debt.token.isForgotten) gone.add(debt.token.variable);
    }

    /** Variables of tokens that will not be used any more. */
    List<Integer> takeGone() {
        List<Integer> taken = List.copyOf(gone);
        gone.clear();
        return taken;
    }

    private static int kind(int operation) {
        return operation >= VOLATILE_READ ? operation - VOLATILE_READ : operation;
    }
}
