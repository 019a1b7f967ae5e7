/**
 * How many lines of the core packages their own tests run. V8 counts while the tests run (`NODE_V8_COVERAGE`); sources are
 * run with their types stripped, in place, so that positions need no map. npm test prints the share and fails below the
 * floor. `node coverage.mjs <package> <reports> <results>`, which `mocha.mjs` calls, adds it to the results of the package.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseSync } from 'oxc-parser';
import { codeFiles } from './imports.mjs';
import { readJson, workspaceRoot } from './packages.mjs';

/**
 * Lines of code, and how many of them were run.
 * @typedef {object} Coverage
 * @property {number} lines
 * @property {number} covered
 */

/** @typedef {{ startOffset: number, endOffset: number, count: number }} Range */
/** @typedef {{ url: string, functions: { ranges: Range[] }[] }} Script as V8 tells of it */

/** The code of a file as it is run, with comments blanked. @param {string} file @param {string} text */
function codeOf(file, text) {
  let code = stripTypeScriptTypes(text);
  for (const { start, end } of parseSync(file, text).comments)
    code = code.slice(0, start) + code.slice(start, end).replaceAll(/[^\n]/g, ' ') + code.slice(end);
  return code;
}

/** Lines of a file, and those that one of the runs has reached. @param {string} file @param {string} text @param {readonly Script[]} runs @returns {Coverage} */
export function coverageOf(file, text, runs) {
  const code = codeOf(file, text);
  const reached = new Uint8Array(code.length);
  for (const { functions } of runs) {
    // Inner ranges come after those around them.
    const counts = new Uint8Array(code.length);
    for (const { ranges } of functions)
      for (const { startOffset, endOffset, count } of ranges) counts.fill(count > 0 ? 1 : 0, startOffset, endOffset);
    for (let i = 0; i < code.length; i++) if (counts[i] === 1) reached[i] = 1;
  }
  const found = { lines: 0, covered: 0 };
  let start = 0;
  for (const line of code.split('\n')) {
    // A line of brackets alone says nothing.
    if (/\w/.test(line)) {
      found.lines++;
      for (let i = 0; i < line.length; i++)
        if (reached[start + i] === 1 && line.charCodeAt(i) > 32) {
          found.covered++;
          break;
        }
    }
    start += line.length + 1;
  }
  return found;
}

/** The coverage of a package by the reports in a folder. @param {string} folder of the package @param {string} reports @returns {Coverage} */
export function packageCoverage(folder, reports) {
  const sources = join(folder, 'src');
  /** @type {Map<string, Script[]>} */
  const runs = new Map(
    codeFiles(sources)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => [pathToFileURL(file).href, []]),
  );
  for (const name of existsSync(reports) ? readdirSync(reports) : []) {
    /** @type {{ result: Script[] }} */
    const { result } = JSON.parse(readFileSync(join(reports, name), 'utf8'));
    for (const script of result) runs.get(script.url)?.push(script);
  }
  const total = { lines: 0, covered: 0 };
  for (const [url, scripts] of runs) {
    const path = fileURLToPath(url);
    const { lines, covered } = coverageOf(path, readFileSync(path, 'utf8'), scripts);
    total.lines += lines;
    total.covered += covered;
  }
  return total;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [path = '', reports = '', results = ''] = process.argv.slice(2);
  const coverage = packageCoverage(join(workspaceRoot, path), reports);
  writeFileSync(results, JSON.stringify({ ...readJson(results), coverage }));
}
