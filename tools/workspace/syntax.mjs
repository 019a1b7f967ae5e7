/** Helpers for the parser's syntax trees, used by the checks in this directory. */

/** @typedef {{ type: string, start: number, [key: string]: unknown }} Node */

/** @param {unknown} value @returns {value is Node} */
export function isNode(value) {
  return typeof value === 'object' && value !== null && typeof (/** @type {Node} */ (value).type) === 'string';
}

/** @param {Node} node @returns {Node[]} */
export function childrenOf(node) {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);
}

/** @param {Node} node @param {(node: Node) => void} visit */
export function walk(node, visit) {
  visit(node);
  for (const child of childrenOf(node)) walk(child, visit);
}

/**
 * Returns the last name of an expression, such as `on` for `socket.on` and `#closed` for `this.#closed`. @param {unknown} node @returns
 * {string}
 */
export function nameOf(node) {
  if (!isNode(node)) return '';
  if (node.type === 'Identifier') return String(node['name']);
  if (node.type === 'PrivateIdentifier') return `#${String(node['name'])}`;
  if (node.type === 'MemberExpression' && node['computed'] !== true) return nameOf(node['property']);
  if (node.type === 'ChainExpression' || node.type === 'TSNonNullExpression') return nameOf(node['expression']);
  return '';
}
