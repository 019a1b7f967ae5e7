/** Support for field names in backticks, such as ``a.`content-type` ``, also inside `has()`. The CEL parser doesn't support them. */
import { mapChildren, type Node } from './tree.ts';
import { outsideOfTexts } from './literals.ts';

const quoted = /\.(\s*)`([\w./ -]+)`/g;

/** An expression whose quoted field names are replaced with generated names. */
export interface PlainFields {
  readonly text: string;
  /** Original field names, keyed by generated name. */
  readonly names: ReadonlyMap<string, string>;
}

/** Replaces quoted field names with generated names. */
export function replaceQuotedFields(source: string): PlainFields {
  const names = new Map<string, string>();
  if (!source.includes('`')) return { text: source, names };
  let prefix = 'quoted_';
  while (source.includes(prefix)) prefix += '_';
  const text = outsideOfTexts(source, (part) =>
    part.replaceAll(quoted, (_, space: string, name: string) => {
      const plain = `${prefix}${names.size}`;
      names.set(plain, name);
      return `.${space}${plain}`;
    }),
  );
  return { text, names };
}

/** Restores the original field names in a syntax tree. */
export function restoreQuotedFields(root: Node, names: ReadonlyMap<string, string>): Node {
  if (names.size === 0) return root;
  const visit = (node: Node): Node => {
    const mapped = mapChildren(node, visit);
    if (mapped.exprKind.case !== 'selectExpr') return mapped;
    const { value } = mapped.exprKind;
    return {
      ...mapped,
      exprKind: { case: 'selectExpr', value: { ...value, field: names.get(value.field) ?? value.field } },
    };
  };
  return visit(root);
}
