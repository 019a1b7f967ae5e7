/** Reads the imports of a package for the boundary checks. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

/**
 * An import of a package.
 * @typedef {object} Import
 * @property {string} target Name of the package, `fs` for a built-in module without `node:`, or an absolute path.
 * @property {string} specifier As written.
 * @property {string} file The importing file, relative to the workspace.
 * @property {boolean} test True below the directory `test`.
 */

/** @param {string} folder @returns {string[]} the code files below it */
export function codeFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return ['node_modules', 'dist', 'out', 'fixtures'].includes(entry.name) ? [] : codeFiles(path);
    return /\.(?:[cm]?tsx?|[cm]?js)$/.test(entry.name) ? [path] : [];
  });
}

/**
 * Returns the import specifiers in a file: static imports, dynamic imports with a literal, and re-exports. @param {string} file @param
 * {string} text
 * @returns {string[]}
 */
export function importsOf(file, text) {
  const { module } = parseSync(file, text);
  const specifiers = module.staticImports.map((each) => each.moduleRequest.value);
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest } of entries) if (moduleRequest) specifiers.push(moduleRequest.value);
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const literal = /^(['"`])([^$]*)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end));
    if (literal?.[2]) specifiers.push(literal[2]);
  }
  return specifiers;
}

/** Returns the imports of a package, excluding built-in modules. @param {import('./packages.mjs').Package} from @returns {Import[]} */
export function readImports(from) {
  return codeFiles(from.folder).flatMap((file) => {
    const inside = relative(from.folder, file).replaceAll('\\', '/');
    const specifiers = importsOf(file, readFileSync(file, 'utf8')).filter(
      (specifier) => !specifier.startsWith('node:'),
    );
    return specifiers.map((specifier) => {
      const parts = specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1);
      const target = specifier.startsWith('.') ? resolve(dirname(file), specifier) : parts.join('/');
      return { target, specifier, file: `${from.path}/${inside}`, test: inside.startsWith('test/') };
    });
  });
}
