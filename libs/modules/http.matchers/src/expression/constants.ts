/** Mistakes in literals that can be found before an expression runs. */
import { isCelError, plan, type CelEnv } from '@bufbuild/cel';
import { valueError } from '@sluice/base';
import { patternOf } from './environment.ts';
import { literalText, mapChildren, type Node } from './tree.ts';

/** Conversions that fail for some texts. */
const conversions = new Set(['int', 'uint', 'double', 'bool', 'timestamp', 'duration']);

/** Throws ERR_VALUE for numbers out of range, conversions of texts that cannot be converted, and patterns that are none. */
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
  const pattern = name === 'matches' ? literalText(args.at(-1)) : null;
  if (pattern !== null) patternOf(pattern);
}

function checkRange({ case: kind, value }: { readonly case: string | undefined; readonly value?: unknown }): void {
  if (typeof value !== 'bigint') return;
  const fits = kind === 'uint64Value' ? value === BigInt.asUintN(64, value) : value === BigInt.asIntN(64, value);
  if (!fits) throw valueError(`${value} is out of the range of 64-bit numbers`);
}
