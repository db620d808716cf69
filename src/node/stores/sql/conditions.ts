import type { Filter, Operand } from './plan.ts';
import { as, columnOf, columnsIn, type Named, type Node, textOf } from './tree.ts';

/** The value that an expression is, if the statement names it. */
export function operandOf(node: Node | undefined): Operand | null {
  const parameter = as(node, 'ParamRef');
  if (parameter !== null) return { param: parameter.number ?? 0 };
  const cast = as(node, 'TypeCast');
  if (cast !== null) return operandOf(cast.arg);
  const constant = as(node, 'A_Const');
  if (constant === null) return null;
  if (constant.isnull) return { value: null };
  if (constant.sval !== undefined) return { value: constant.sval.sval ?? '' };
  if (constant.fval !== undefined) return { value: Number(constant.fval.fval) };
  if (constant.boolval !== undefined) return { value: constant.boolval.boolval ?? false };
  // Zero is what is left out.
  return constant.ival === undefined ? null : { value: constant.ival.ival ?? 0 };
}

/** Which rows of a table a condition is about. */
export function filterOf(condition: Node | undefined, of: Named, isJoined: boolean): Filter {
  const equal: { column: string; to: Operand }[] = [];
  const others = new Set<string>();
  let isExact = true;
  for (const part of conjuncts(condition)) {
    const found = equality(part, of, isJoined);
    if (found !== null) {
      equal.push(found);
      continue;
    }
    isExact = false;
    for (const column of columnsIn(part, of, isJoined)) others.add(column);
  }
  return { equal, others: [...others], isExact };
}

function conjuncts(condition: Node | undefined): Node[] {
  if (condition === undefined) return [];
  const all = as(condition, 'BoolExpr');
  if (all?.boolop !== 'AND_EXPR') return [condition];
  return (all.args ?? []).flatMap((part) => conjuncts(part));
}

/** `column = value`, `column IN (values)`, `column = ANY(values)`, a column that is true or is not. */
function equality(node: Node, of: Named, isJoined: boolean): { column: string; to: Operand } | null {
  const flag = columnOf(node, of, isJoined);
  if (flag !== null) return { column: flag, to: { value: true } };
  const not = as(node, 'BoolExpr');
  if (not?.boolop === 'NOT_EXPR') {
    const column = columnOf(not.args?.[0], of, isJoined);
    return column === null ? null : { column, to: { value: false } };
  }
  const expression = as(node, 'A_Expr');
  if (expression === null || !/^(?:=|==)$/.test(textOf(expression.name?.[0]))) return null;
  const { kind, lexpr, rexpr } = expression;
  const column = columnOf(withoutCast(lexpr), of, isJoined);
  if (kind === 'AEXPR_IN') {
    const values = (as(rexpr, 'List')?.items ?? []).map(operandOf);
    return column === null || values.includes(null) ? null : { column, to: { anyOf: values as Operand[] } };
  }
  if (kind === 'AEXPR_OP_ANY') {
    const values = operandOf(rexpr);
    return column === null || values === null ? null : { column, to: { anyOf: [values] } };
  }
  if (kind !== 'AEXPR_OP') return null;
  const reversed = column === null ? columnOf(withoutCast(rexpr), of, isJoined) : null;
  const to = operandOf(column === null ? lexpr : rexpr);
  const found = column ?? reversed;
  return found === null || to === null ? null : { column: found, to };
}

function withoutCast(node: Node | undefined): Node | undefined {
  return as(node, 'TypeCast')?.arg ?? node;
}
