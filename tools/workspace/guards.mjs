/**
 * Finds callbacks of sockets, timers, sessions and files that run without a guard (ADR 8). Only the process-wide handler would catch their
 * exceptions, and the affected object would remain in its current state. A callback is allowed if it is
 * - created by `guarded(…)`, inline or in the declaration of its name,
 * - a function whose body is a single `try` with a `catch`,
 * - a function whose operations cannot throw: see {@link harmless} and {@link isHarmless},
 * or if `guard-exceptions.mjs` gives a reason. `check-package.mjs` runs this check.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync } from 'oxc-parser';
import { exceptions } from './guard-exceptions.mjs';
import { codeFiles } from './imports.mjs';
import { childrenOf, isNode, nameOf, walk } from './syntax.mjs';

/** @typedef {import('./syntax.mjs').Node} Node */
/** @typedef {{ callee: string, line: number, code: string }} Unguarded */

const listening = new Set(['on', 'once', 'addListener', 'prependListener', 'addEventListener']);
const timers = new Set(['setTimeout', 'setImmediate', 'setInterval', 'queueMicrotask', 'nextTick']);

/** Names of methods and functions that never throw. */
const harmless = new Set(
  (
    'guarded runGuarded unawaited failOwner reportFault resolve reject destroy destroySoon cancel unref ref off removeListener ' +
    'clearTimeout clearInterval clearImmediate delete add clear has get set push shift pop includes now floor min max pause resume ' +
    'end unpipe setTimeout setImmediate setInterval cork uncork String Number Boolean then catch finally debug info warn error ' +
    'messageOf textOf requestError connectionProblem problem taskOf connectionOf on once read kill concat slice map join filter ' +
    'setEncoding closeAllConnections removeAllListeners removeEventListener clearTimeout exit'
  ).split(' '),
);

/** @param {Node} node */
function isFunction(node) {
  return (
    node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression' || node.type === 'FunctionDeclaration'
  );
}

/** Returns the declarations of a file by name: variables and functions, and fields and methods. @param {Node} program */
function declarationsOf(program) {
  /** @type {Map<string, Node>} */
  const names = new Map();
  /** @type {Map<string, Node>} */
  const members = new Map();
  /** @type {Set<string>} Parameters of promise executors. */
  const settlers = new Set(['resolve', 'reject']);
  walk(program, (node) => {
    const key = node['id'] ?? node['key'];
    const value = node.type === 'FunctionDeclaration' ? node : (node['init'] ?? node['value']);
    if (isNode(value)) {
      if (node.type === 'VariableDeclarator' || node.type === 'FunctionDeclaration') names.set(nameOf(key), value);
      if (node.type === 'PropertyDefinition' || node.type === 'MethodDefinition') members.set(nameOf(key), value);
    }
    if (node.type === 'NewExpression' && nameOf(node['callee']) === 'Promise') {
      const [executor] = /** @type {Node[]} */ (node['arguments']);
      if (isNode(executor))
        for (const parameter of /** @type {Node[]} */ (executor['params'] ?? [])) settlers.add(nameOf(parameter));
    }
  });
  /** @param {unknown} node */
  const find = (node) => (isNode(node) && node.type === 'Identifier' ? names : members).get(nameOf(node));
  return { find, settlers };
}

/** @typedef {ReturnType<typeof declarationsOf>} Declarations */

/**
 * Reports whether a node can be evaluated without throwing. Function bodies inside the node are ignored because evaluation does not call
 * them. @param {Node} node @param {Declarations} declared @param {number} depth @returns {boolean}
 */
function isHarmless(node, declared, depth) {
  if (isFunction(node)) return true;
  if (node.type === 'ThrowStatement' || node.type === 'AwaitExpression') return false;
  if (node.type === 'NewExpression' && !/(?:Error|Gone)$/.test(nameOf(node['callee']))) return false;
  if (node.type === 'TryStatement') {
    const handler = node['handler'];
    return isNode(handler) && isHarmless(handler, declared, depth);
  }
  if (node.type === 'CallExpression') {
    const name = nameOf(node['callee']);
    const meant = declared.find(node['callee']);
    // An exception in an async function rejects its promise. `unawaited` checks such promises.
    const known = harmless.has(name) || declared.settlers.has(name) || meant?.['async'] === true;
    if (!known && !isSafe(meant, declared, depth + 1)) return false;
  }
  return childrenOf(node).every((child) => isHarmless(child, declared, depth));
}

/**
 * Reports whether a callback never throws. @param {Node | undefined} callback @param {Declarations} declared @param {number} depth @returns
 *    {boolean}
 */
function isSafe(callback, declared, depth = 0) {
  if (callback === undefined || depth > 4) return false;
  if (callback.type === 'CallExpression') return nameOf(callback['callee']) === 'guarded';
  if (isFunction(callback)) {
    const body = callback['body'];
    return isNode(body) && callback['async'] !== true && isHarmless(body, declared, depth);
  }
  const name = nameOf(callback);
  return declared.settlers.has(name) || isSafe(declared.find(callback), declared, depth + 1);
}

/**
 * Returns the names that a file imports from `node:fs`. Their callbacks are the last argument. @param {import('oxc-parser').ParseResult}
 * parsed
 */
function fileFunctions({ module }) {
  return new Set(
    module.staticImports
      .filter(({ moduleRequest }) => moduleRequest.value === 'node:fs')
      .flatMap(({ entries }) => entries.map(({ localName }) => localName.value))
      .filter((name) => !/Sync$|Stream$/.test(name)),
  );
}

/** Returns the unguarded callbacks of a file. @param {string} file @param {string} text @returns {Unguarded[]} */
export function unguardedIn(file, text) {
  const parsed = parseSync(file, text);
  const program = /** @type {Node} */ (/** @type {unknown} */ (parsed.program));
  const declared = declarationsOf(program);
  const ofFiles = fileFunctions(parsed);
  /** @type {Unguarded[]} */
  const unguarded = [];
  walk(program, (node) => {
    if (node.type !== 'CallExpression') return;
    const all = /** @type {Node[]} */ (node['arguments']);
    const name = nameOf(node['callee']);
    const isMember = isNode(node['callee']) && node['callee'].type === 'MemberExpression';
    // `socket.setTimeout(time, callback)` takes its arguments in the opposite order to the global `setTimeout`.
    const ofSocket = name === 'setTimeout' && isMember;
    const callback = ofSocket
      ? all[1]
      : timers.has(name)
        ? all[0]
        : listening.has(name) && isMember
          ? all[1]
          : ofFiles.has(name)
            ? all.at(-1)
            : undefined;
    if (callback === undefined || (ofFiles.has(name) && !isFunction(callback) && declared.find(callback) === undefined))
      return;
    if (isSafe(callback, declared)) return;
    const line = text.slice(0, node.start).split('\n').length;
    unguarded.push({ callee: name, line, code: text.slice(node.start, node.start + 90).replaceAll(/\s+/g, ' ') });
  });
  return unguarded;
}

/**
 * Returns a message for each unguarded callback in the sources of a package, and for each exception that is no longer needed.
 * @param {Pick<import('./packages.mjs').Package, 'path' | 'folder'>} from
 * @param {Readonly<Record<string, string>>} [reasons]
 * @returns {string[]}
 */
export function checkGuards({ path, folder }, reasons = exceptions) {
  if (!/^(?:libs|apps)\//.test(path) || !existsSync(join(folder, 'src'))) return [];
  const unused = new Set(Object.keys(reasons).filter((each) => each.startsWith(`${path}/`)));
  const problems = [];
  for (const file of codeFiles(join(folder, 'src'))) {
    const name = `${path}/${relative(folder, file).replaceAll('\\', '/')}`;
    for (const { line, code } of unguardedIn(file, readFileSync(file, 'utf8'))) {
      const exception = Object.keys(reasons).find((each) => name.startsWith(each));
      if (exception !== undefined) unused.delete(exception);
      else problems.push(`${name}:${line}: a callback runs without a guard: ${code}`);
    }
  }
  return [...problems, ...[...unused].map((each) => `guard-exceptions.mjs: ${each} no longer needs an exception`)];
}
