package trackside.runtime;

/**
 * Stands in the trace for everything of its own that a thread touched in one stretch, between what came in from other threads: a
 * variable that the thread writes there. Whoever finds later that something touched there matters to others has them read it.
 */
final class Token {
    final Merged owner;
    /** What the thread touched before this record, and after the bound of the token before. */
    final int bound;

    final int variable;
    boolean isForgotten;
    /** In the list of all that are known. */
    Token previous;

    Token next;
    /** How many debts are still to be paid with it. */
    int debts;

    Token(Merged owner, int bound, int variable) {
        this.owner = owner;
        this.bound = bound;
        this.variable = variable;
    }
}
