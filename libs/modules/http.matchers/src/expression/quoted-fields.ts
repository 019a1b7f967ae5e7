/** Field names in backticks, which the parser doesn't support: ``a.`content-type` ``, also within `has()`. */
import { mapChildren, type Node } from './tree.ts';
import { outsideOfTexts } from './literals.ts';

const quoted = /\.(\s*)`([\w./ -]+)`/g;

/** An expression with quoted names replaced by plain ones. */
export interface PlainFields {
  readonly text: string;
  /** Original names by plain name. */
  readonly names: ReadonlyMap<string, string>;
}

/** Replaces quoted names with generated names. */
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

/** Restores the original names in a tree. */
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
