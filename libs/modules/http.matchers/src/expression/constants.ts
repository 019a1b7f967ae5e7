/** Detects errors in an expression's literals before the expression is evaluated. */
import { isCelError, plan, type CelEnv } from '@bufbuild/cel';
import { valueError, itemAt } from '@sluice/base';
import { patternOf } from './environment.ts';
import { formatValue, parseFormat } from './format.ts';
import { literalText, mapChildren, type Node } from './tree.ts';

/** Names of conversion functions that fail for some strings. */
const conversions = new Set(['int', 'uint', 'double', 'bool', 'timestamp', 'duration']);

/** Checks the literals of an expression. Throws ERR_VALUE for numbers out of range, invalid string conversions, and invalid patterns. */
export function checkConstants(root: Node, env: CelEnv): void {
  mapChildren(root, (child) => {
    checkConstants(child, env);
    return child;
  });
  if (root.exprKind.case === 'constExpr') checkRange(root.exprKind.value.constantKind);
  if (root.exprKind.case !== 'callExpr') return;
  const { function: name, target, args } = root.exprKind.value;
  if (target === undefined && args.length === 1 && conversions.has(name) && literalText(args[0]) !== null) {
    const result = plan(env, root)();
    if (isCelError(result)) throw valueError(`${name}(${JSON.stringify(literalText(args[0]))}): ${result.message}`);
  }
  if (name === 'format' && target !== undefined) checkFormat(target, args, env);
  const pattern = name === 'matches' ? literalText(args.at(-1)) : null;
  if (pattern !== null) patternOf(pattern);
}

/** Checks a literal format string. If the values are a list, also checks their number and any literal values. */
function checkFormat(target: Node, [values]: readonly Node[], env: CelEnv): void {
  const format = literalText(target);
  if (format === null) return;
  const clauses = parseFormat(format).filter((part) => typeof part !== 'string');
  if (values?.exprKind.case !== 'listExpr') return;
  const { elements } = values.exprKind.value;
  if (elements.length !== clauses.length)
    throw valueError(
      `format: the format string contains ${clauses.length} clauses but ${elements.length} values are given`,
    );
  for (const [index, clause] of clauses.entries()) {
    const element = itemAt(elements, index);
    if (element.exprKind.case !== 'constExpr') continue;
    const value = plan(env, element)();
    if (!isCelError(value)) formatValue(clause, value);
  }
}

function checkRange({ case: kind, value }: { readonly case: string | undefined; readonly value?: unknown }): void {
  if (typeof value !== 'bigint') return;
  const fits = kind === 'uint64Value' ? value === BigInt.asUintN(64, value) : value === BigInt.asIntN(64, value);
  if (!fits) throw valueError(`${value} is out of range for 64-bit integers`);
}
