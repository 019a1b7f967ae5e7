/**
 * Finds import cycles within a package, between files and between directories. Includes type imports. To remove a cycle, move the shared
 * code into a third file that both import.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { codeFiles, importsOf } from './imports.mjs';

/** @typedef {Map<string, Set<string>>} Graph Who imports whom. */

/** Returns the source directory of a package: `src`, or the package directory itself for tools. @param {string} folder */
function sourceRoot(folder) {
  const sources = join(folder, 'src');
  return existsSync(sources) ? sources : folder;
}

/** Returns the imports between the source files of a package. Paths are relative to `root`. @param {string} root @returns {Graph} */
function fileGraph(root) {
  const graph = new Map();
  for (const file of codeFiles(root)) {
    const targets = importsOf(file, readFileSync(file, 'utf8'))
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => relative(root, resolve(dirname(file), specifier)).replaceAll('\\', '/'));
    graph.set(relative(root, file).replaceAll('\\', '/'), new Set(targets));
  }
  return graph;
}

/**
 * Returns the imports between the children of a directory. Files are single nodes, and each subdirectory is one node. Cycles can therefore
 * be found at each level of the tree.
 * @param {Graph} files @param {string} folder With a trailing slash, or empty for the top. @returns {Graph}
 */
function childGraph(files, folder) {
  const childOf = (/** @type {string} */ file) =>
    folder + /** @type {string} */ (file.slice(folder.length).split('/')[0]);
  /** @type {Graph} */
  const graph = new Map();
  for (const [file, targets] of files) {
    if (!file.startsWith(folder)) continue;
    const child = childOf(file);
    const others = graph.get(child) ?? new Set();
    for (const target of targets)
      if (target.startsWith(folder) && childOf(target) !== child) others.add(childOf(target));
    graph.set(child, others);
  }
  return graph;
}

/**
 * Returns all directories that contain files, and their parent directories.
 * @param {Iterable<string>} files
 * @returns {Set<string>} with a trailing slash
 */
function foldersOf(files) {
  const folders = new Set(['']);
  for (const file of files)
    for (let at = file.indexOf('/'); at !== -1; at = file.indexOf('/', at + 1)) folders.add(file.slice(0, at + 1));
  return folders;
}

/** Returns the strongly connected components with more than one node (Tarjan's algorithm). @param {Graph} graph @returns {string[][]} */
export function circlesOf(graph) {
  /** @type {Map<string, { index: number, low: number, open: boolean }>} */
  const seen = new Map();
  /** @type {string[]} */
  const stack = [];
  /** @type {string[][]} */
  const found = [];
  /** @param {string} node */
  function visit(node) {
    const mark = { index: seen.size, low: seen.size, open: true };
    seen.set(node, mark);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      const other = seen.get(next);
      if (other === undefined) mark.low = Math.min(mark.low, visit(next).low);
      else if (other.open) mark.low = Math.min(mark.low, other.index);
    }
    if (mark.low === mark.index) {
      const part = stack.splice(stack.indexOf(node));
      for (const each of part) /** @type {{ open: boolean }} */ (seen.get(each)).open = false;
      if (part.length > 1) found.push(part.sort());
    }
    return mark;
  }
  for (const node of graph.keys()) if (!seen.has(node)) visit(node);
  return found;
}

/** Returns a message for each import cycle in a package. @param {import('./packages.mjs').Package} from @returns {string[]} */
export function checkCycles(from) {
  const root = sourceRoot(from.folder);
  const files = fileGraph(root);
  const place = root === from.folder ? from.path : `${from.path}/src`;
  const isFile = (/** @type {string} */ name) => files.has(name);
  const between = [
    ...circlesOf(files).map((circle) => ({ kind: 'files', circle })),
    ...[...foldersOf(files.keys())]
      .flatMap((folder) => circlesOf(childGraph(files, folder)))
      .filter((circle) => !circle.every(isFile))
      .map((circle) => ({ kind: 'folders', circle })),
  ];
  return between.map(({ kind, circle }) => `${place}: a circle of ${kind}: ${circle.join(', ')}`);
}
