import type { Node, SelectStmt } from '@pgsql/types';
import { operandOf } from './conditions.ts';
import type { AdvisoryLock, Control, Isolation, Operand } from './plan.ts';
import { as, tablesIn, textOf, walk } from './tree.ts';

/* Statements about transactions and locks. */

export function controlOf(node: Node): Control | null {
  const transaction = as(node, 'TransactionStmt');
  if (transaction !== null) {
    const { kind, options, chain = false, savepoint_name: name = '' } = transaction;
    switch (kind) {
      case 'TRANS_STMT_BEGIN':
      case 'TRANS_STMT_START':
        return { act: 'begin', isolation: isolationIn(options) };
      case 'TRANS_STMT_COMMIT':
      case 'TRANS_STMT_PREPARE':
        return { act: 'commit', chains: chain };
      case 'TRANS_STMT_ROLLBACK':
        return { act: 'rollback', chains: chain };
      case 'TRANS_STMT_SAVEPOINT':
        return { act: 'savepoint', name };
      case 'TRANS_STMT_RELEASE':
        return { act: 'release', name };
      case 'TRANS_STMT_ROLLBACK_TO':
        return { act: 'rollback to', name };
      default:
        return null;
    }
  }
  const setting = as(node, 'VariableSetStmt');
  if (setting === null) return null;
  const { name, args } = setting;
  if (name === 'TRANSACTION' || name === 'SESSION CHARACTERISTICS') {
    const isolation = isolationIn(args);
    return isolation && { act: 'isolation', isolation, isForSession: name !== 'TRANSACTION' };
  }
  if (name !== 'default_transaction_isolation' && name !== 'transaction_isolation') return null;
  const isolation = isolationNamed(as(args?.[0], 'A_Const')?.sval?.sval);
  return isolation && { act: 'isolation', isolation, isForSession: name === 'default_transaction_isolation' };
}

function isolationIn(options: Node[] | undefined): Isolation | null {
  for (const option of options ?? []) {
    const { defname, arg } = as(option, 'DefElem') ?? {};
    if (defname === 'transaction_isolation') return isolationNamed(as(arg, 'A_Const')?.sval?.sval);
  }
  return null;
}

export function isolationNamed(name: string | undefined): Isolation | null {
  switch (name?.toLowerCase()) {
    case 'serializable':
      return 'serializable';
    case 'repeatable read':
      return 'repeatable read';
    case 'read committed':
    case 'read uncommitted':
      return 'read committed';
    default:
      return null;
  }
}

const ADVISORY = /^pg_(try_)?advisory_(xact_)?(lock|unlock|unlock_all)$/;

/** `SELECT pg_advisory_lock(7)` and its like. Shared ones are none, as they exclude nobody of their kind. */
export function advisoryIn(query: SelectStmt): AdvisoryLock | null {
  let found: AdvisoryLock | null = null;
  walk([query.targetList, query.fromClause], (node) => {
    const call = as(node, 'FuncCall');
    const [, tries, isForTransaction, what] = ADVISORY.exec(textOf(call?.funcname?.at(-1))) ?? [];
    if (what === undefined) return true;
    const act =
      what === 'lock' ? (tries === undefined ? 'lock' : 'try') : what === 'unlock' ? 'unlock' : 'unlock all';
    found = { act, key: (call?.args ?? []).map(keyOf), isForTransaction: isForTransaction !== undefined };
    return false;
  });
  return found;
}

/** `hashtext($1)` is as good as `$1`. */
function keyOf(node: Node): Operand {
  const call = as(node, 'FuncCall');
  const inner = as(node, 'TypeCast')?.arg ?? call?.args?.[0];
  return operandOf(node) ?? (inner === undefined ? { value: null } : keyOf(inner));
}

/** `LOCK TABLE t`. */
export function lockOf(node: Node): AdvisoryLock | null {
  const lock = as(node, 'LockStmt');
  if (lock === null) return null;
  const key = tablesIn(lock.relations).map(({ table }) => ({ value: `table ${table}` }));
  return { act: 'lock', key, isForTransaction: true };
}
