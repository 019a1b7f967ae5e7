/**
 * The API report of `@sluice/module`: every exported name with its declaration, committed as text, so that changes of the public API are
 * visible in review. `node tools/workspace/api-report.mjs` compares it, `--write` writes it. It reads the declarations that `tsc -b` has
 * emitted.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { readPackages, workspaceRoot } from './packages.mjs';

/** @typedef {{ readonly file: string, readonly name: string }} Place Where a name is declared. */

const report = 'libs/module/api-report.md';
const packages = new Map(readPackages().map((each) => [each.manifest.name, each]));

/**
 * Returns the declaration file of a specifier. @param {string} file The importing file. @param {string} specifier @returns {string | null}
 * `null` for third-party packages
 */
function declarationsOf(file, specifier) {
  if (specifier.startsWith('.')) return resolve(dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts'));
  const name = packageOf(specifier);
  const found = packages.get(name);
  const target = found?.manifest.exports?.[`.${specifier.slice(name.length)}`];
  return found === undefined || typeof target !== 'object' ? null : join(found.folder, target.types);
}

/** `@sluice/caddyfile/contribute` -> `@sluice/caddyfile`. @param {string} specifier */
function packageOf(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** @type {Map<string, { text: string, program: import('oxc-parser').Program, exports: import('oxc-parser').StaticExport[], imports: import('oxc-parser').StaticImport[] }>} */
const parsed = new Map();

/** @param {string} file */
function read(file) {
  let found = parsed.get(file);
  if (found === undefined) {
    const text = readFileSync(file, 'utf8');
    const { program, module } = parseSync(file, text);
    found = { text, program, exports: module.staticExports, imports: module.staticImports };
    parsed.set(file, found);
  }
  return found;
}

/** Returns every name that a file exports, with the place of its declaration. @param {string} file @returns {Map<string, Place>} */
function exportsOf(file) {
  /** @type {Map<string, Place>} */
  const names = new Map();
  for (const { entries } of read(file).exports) {
    for (const { moduleRequest, importName, exportName } of entries) {
      const target = moduleRequest ? declarationsOf(file, moduleRequest.value) : file;
      if (target === null) continue;
      if (String(exportName.kind) === 'None') for (const [name, place] of exportsOf(target)) names.set(name, place);
      else if (target === file && exportName.name) names.set(exportName.name, { file, name: exportName.name });
      else if (exportName.name && importName.name) {
        const place = exportsOf(target).get(importName.name);
        if (place) names.set(exportName.name, place);
      }
    }
  }
  return names;
}

/** Returns the declaration of a name, without comments and private members. @param {Place} place */
function declarationOf({ file, name }) {
  const { text, program, imports } = read(file);
  for (const statement of program.body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (!declared) continue;
    const ids =
      'declarations' in declared ? declared.declarations.map(({ id }) => id) : 'id' in declared ? [declared.id] : [];
    if (!ids.some((id) => id && 'name' in id && id.name === name)) continue;
    return text
      .slice(declared.start, declared.end)
      .replace(/\/\*\*[\s\S]*?\*\/\s*/g, '')
      .replace(/^\s*(?:#private|private [^;]*);\n/gm, '')
      .replace(/^declare /, '');
  }
  // Imported and re-exported.
  for (const { entries, moduleRequest } of imports) {
    const entry = entries.find(({ localName }) => localName.value === name);
    const target = entry && declarationsOf(file, moduleRequest.value);
    const place = target && entry.importName.name ? exportsOf(target).get(entry.importName.name) : undefined;
    if (place) return declarationOf(place);
  }
  return `(declared elsewhere: ${name})`;
}

/** Returns the expected report. */
export function makeReport() {
  const entry = join(workspaceRoot, 'libs/module/dist/index.d.ts');
  if (!existsSync(entry)) throw new Error('libs/module is not built: run tsc -b first');
  const names = [...exportsOf(entry)].sort(([a], [b]) => (a < b ? -1 : 1));
  const sections = names.map(([name, place]) => `## ${name}\n\n\`\`\`ts\n${declarationOf(place)}\n\`\`\`\n`);
  return `# The surface of @sluice/module\n\n${names.length} names. Made by \`npm run api-report\`; a change here is a change for every author of modules.\n\n${sections.join('\n')}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = join(workspaceRoot, report);
  const wanted = makeReport();
  if (process.argv.includes('--write')) writeFileSync(path, wanted);
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== wanted) {
    console.error(
      `${report} differs from the surface of @sluice/module: npm run api-report, and look at the difference`,
    );
    process.exitCode = 1;
  }
}
