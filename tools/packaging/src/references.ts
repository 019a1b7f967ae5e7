import { parseSync } from 'oxc-parser';

export interface Reference {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** True if the reference is a shorthand property: `{ name }`. */
  readonly shorthand: boolean;
  /** True if the reference is the operand of `new`. */
  readonly constructed: boolean;
}

type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number; readonly end: number };

/** Returns the references to the given names in order. Throws if an inner scope redeclares a name. */
export function referencesIn(source: string, names: ReadonlySet<string>): Reference[] {
  const { program, errors } = parseSync('file.js', source);
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('; '));
  const found: Reference[] = [];
  visit(program as unknown as Node, null, '', (node, parent, key) => {
    const name = node['name'] as string;
    if (node.type !== 'Identifier' || !names.has(name) || isKey(parent, key)) return;
    if (isDeclared(parent, key)) throw new Error(`${name} is imported and redeclared in an inner scope`);
    const shorthand = parent?.type === 'Property' && parent['shorthand'] === true;
    const constructed = parent?.type === 'NewExpression' && key === 'callee';
    found.push({ name, start: node.start, end: node.end, shorthand, constructed });
  });
  return found.sort((a, b) => a.start - b.start);
}

/** Reports whether a node is a property name and not a value. */
function isKey(parent: Node | null, key: string): boolean {
  if (parent === null || parent['computed'] === true) return false;
  if (parent.type === 'MemberExpression') return key === 'property';
  if (parent.type === 'Property') return key === 'key';
  return (parent.type === 'MethodDefinition' || parent.type === 'PropertyDefinition') && key === 'key';
}

function isDeclared(parent: Node | null, key: string): boolean {
  if (parent?.type === 'VariableDeclarator') return key === 'id';
  return /^(?:Function|ArrowFunction|Class)/.test(parent?.type ?? '') && (key === 'params' || key === 'id');
}

function visit(
  node: Node,
  parent: Node | null,
  key: string,
  call: (node: Node, parent: Node | null, key: string) => void,
): void {
  call(node, parent, key);
  for (const [inner, value] of Object.entries(node)) {
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value])
      if (typeof each === 'object' && each !== null && 'type' in each) visit(each as Node, node, inner, call);
  }
}
