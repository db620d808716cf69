package org.jboss.netty.channel.socket.nio;

import java.util.concurrent.Executor;

/** Threads that begin with the same pools. */
public class Bosses extends AbstractNioBossPool<Boss> {
    Bosses(Executor executor) {
        super(executor, 1, false);
    }

    @Override
    protected Boss newBoss(Executor executor) {
        return null;
    }

    public static void main(String[] args) throws Exception {
        Bosses[] pools = new Bosses[100];
        for (int i = 0; i < pools.length; i++) pools[i] = new Bosses(Runnable::run);
        Thread[] threads = new Thread[3];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (Bosses each : pools) {
                    try {
                        each.init();
                    } catch (IllegalStateException another) {
                        // Another thread has begun.
                    }
                }
            });
            threads[t].start();
        }
        for (Thread each : threads) each.join();
        System.out.println("done");
    }
}
