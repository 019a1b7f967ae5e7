/**
 * Checks errors that cross package boundaries. Each must have a code from the catalog `src/error-codes.ts` of the package that throws it.
 * Errors without a code must be caught in their own package, as stated per file in `error-exceptions.mjs`. Exported error classes need a
 * brand. A module may include its own copy of the package, and `instanceof` works only within one copy. `npm test` runs this check. `npm
 * run docs` generates the table in docs/errors.md from the catalogs.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { exceptions } from './error-exceptions.mjs';
import { codeFiles } from './imports.mjs';
import { readPackages, workspaceRoot } from './packages.mjs';

/** Node.js error codes that our code checks for. */
const foreign = new Set([
  'ERR_HTTP_REQUEST_TIMEOUT',
  'ERR_MODULE_NOT_FOUND',
  'ERR_SCRIPT_EXECUTION_TIMEOUT',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_WORKER_OUT_OF_MEMORY',
]);

/**
 * The sources of a package and the codes of its catalog.
 * @typedef {object} Sources
 * @property {string} path Of the package.
 * @property {Readonly<Record<string, unknown>>} codes
 * @property {ReadonlyMap<string, string>} files Texts by path, without the catalog.
 */

/**
 * Returns the error code catalogs of all packages, by package path.
 * @returns {Promise<{ path: string, codes: Record<string, { meaning: string, advice: string }> }[]>}
 */
export async function readCatalogs() {
  const found = readPackages().filter(({ folder }) => existsSync(join(folder, 'src/error-codes.ts')));
  return Promise.all(
    found.map(async ({ path, folder }) => {
      const { errorCodes } = await import(pathToFileURL(join(folder, 'src/error-codes.ts')).href);
      return { path, codes: errorCodes };
    }),
  );
}

/** Returns a message for each problem with the error codes. @param {readonly Sources[]} packages @returns {string[]} */
export function checkCodes(packages) {
  const problems = [];
  /** @type {Map<string, string>} */
  const owners = new Map();
  for (const { path, codes } of packages)
    for (const code of Object.keys(codes)) {
      const other = owners.get(code);
      if (other !== undefined) problems.push(`${code} is in the catalogs of ${other} and ${path}`);
      owners.set(code, path);
    }
  for (const { path, codes, files } of packages) {
    /** @type {Set<string>} */
    const used = new Set();
    for (const [file, text] of files)
      for (const [, code = ''] of text.matchAll(/'(ERR_[A-Z_]+)'/g)) {
        used.add(code);
        if (!owners.has(code) && !foreign.has(code))
          problems.push(`${file}: ${code} is in no catalog; add it to ${path}/src/error-codes.ts`);
      }
    for (const code of Object.keys(codes)) if (!used.has(code)) problems.push(`${path}: nothing raises ${code}`);
  }
  return problems;
}

/**
 * Finds exported error classes that have no brand, and uses of `instanceof` with exported error classes. @param {readonly Sources[]}
 * packages @returns {string[]}
 */
export function checkBrands(packages) {
  const problems = [];
  /** @type {Map<string, string>} exported error classes and their files */
  const crossing = new Map();
  for (const { path, files } of packages) {
    const index = files.get(`${path}/src/index.ts`) ?? '';
    for (const [file, text] of files)
      for (const [, name = ''] of text.matchAll(
        /^export (?:abstract )?class (\w+) extends (?:\w*Error|AcmeProblem)\b/gm,
      )) {
        if (!new RegExp(`\\b${name}\\b`).test(index)) continue;
        crossing.set(name, file);
        const body = text.slice(text.indexOf(`class ${name} `)).split(/^}/m)[0] ?? '';
        if (!/Object\.defineProperty\(this, \w*[bB]rand,/.test(body))
          problems.push(`${file}: ${name} crosses packages and has no brand (Symbol.for('sluice.…'))`);
      }
  }
  for (const { files } of packages)
    for (const [file, text] of files)
      for (const [, name = ''] of text.matchAll(/\binstanceof (\w+)/g))
        if (crossing.has(name))
          problems.push(`${file}: instanceof ${name} fails for another copy of the class; check its brand`);
  return problems;
}

/**
 * Finds errors without a code: built-in error classes, and subclasses without the field `code`. They are allowed in files whose path starts
 * with a key of `reasons`. Unused keys are also reported.
 * @param {readonly Sources[]} packages
 * @param {Readonly<Record<string, string>>} reasons
 * @returns {string[]}
 */
export function checkBare(packages, reasons) {
  const problems = [];
  const unneeded = new Set(Object.keys(reasons));
  for (const { files } of packages)
    for (const [file, text] of files)
      for (const [index, line] of text.split('\n').entries()) {
        if (!isBare(line, text)) continue;
        const reason = Object.keys(reasons).find((each) => file.startsWith(each));
        if (reason === undefined) problems.push(`${file}:${index + 1}: an error without a code: ${line.trim()}`);
        else unneeded.delete(reason);
      }
  for (const path of unneeded) problems.push(`error-exceptions.mjs: ${path} no longer needs an exception`);
  return problems;
}

/** @param {string} line @param {string} text Of the file. */
function isBare(line, text) {
  if (/\bnew (?:Error|TypeError|RangeError|SyntaxError|AggregateError)\(/.test(line)) return true;
  const derived = /\bclass (\w+) extends (?:Error|TypeError|RangeError|SyntaxError)\b/.exec(line)?.[0];
  if (derived === undefined) return false;
  const body = text.slice(text.indexOf(derived)).split(/^}/m)[0] ?? '';
  return !/^ {2}readonly code\b/m.test(body);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const catalogs = new Map((await readCatalogs()).map(({ path, codes }) => [path, codes]));
  const packages = readPackages()
    .filter(({ layer }) => !['tools', 'example'].includes(layer))
    .map(({ path, folder }) => {
      const sources = codeFiles(folder).map((file) => [relative(workspaceRoot, file).replaceAll('\\', '/'), file]);
      const judged = sources.filter(
        ([name = '']) => name.startsWith(`${path}/src/`) && !name.endsWith('/error-codes.ts'),
      );
      return {
        path,
        codes: catalogs.get(path) ?? {},
        files: new Map(judged.map(([name = '', file = '']) => [name, readFileSync(file, 'utf8')])),
      };
    });
  const problems = [...checkCodes(packages), ...checkBrands(packages), ...checkBare(packages, exceptions)];
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
