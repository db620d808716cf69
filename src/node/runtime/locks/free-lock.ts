import { Op } from '../../../trace/operation.ts';
import type { LockRecord } from '../../core/lock-record.ts';
import { RUNNING } from '../../core/task.ts';
import { putInLog } from '../calls-in-log.ts';
import type { Tasks } from '../tasks.ts';

/** The holder does not hold the lock any more. A package may notice the end of a section later than its task ends. */
export function freeLock(tasks: Tasks, lock: LockRecord): void {
  const { holder } = lock;
  if (holder?.state === RUNNING) {
    const { current } = tasks;
    let innermost = current?.task === holder ? current : holder.root;
    while (innermost !== null && innermost.child !== null) innermost = innermost.child;
    // It happens in the calls that are open.
    if (innermost?.isLogged === false && !innermost.isOver) putInLog(tasks, innermost);
    tasks.log.push(Op.release, holder, null, lock, 0);
  }
  lock.holder = null;
  lock.depth = 0;
  tasks.newEpoch();
}
