/**
 * Enforces the architecture. Checks imports between layers, and cycles between files or directories within a package, including type
 * imports. Compares declared dependencies with imports, and TypeScript references with declared dependencies. `--fix` writes the
 * references.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkCycles } from './cycles.mjs';
import { readImports } from './imports.mjs';
import { readJson, readPackages, runtimeDependencies, workspaceRoot } from './packages.mjs';
import { checkReferences } from './references.mjs';

/** @typedef {import('./packages.mjs').Package} Package */
/** @typedef {import('./imports.mjs').Import} Import */
/** @typedef {ReadonlyMap<string, Package>} Packages by name */

/** Layers below the apps. Their packages contain no module implementations. */
const core = ['foundation', 'protocol', 'runtime', 'feature'];

/** Layers, packages, or package entry points that the sources of each layer may import. @type {Record<string, string[]>} */
const allowed = {
  // Data types, the module registry and text templates. This layer does not depend on anything that is served.
  foundation: ['foundation'],
  // Wire protocols, usable without the rest of the server.
  protocol: ['protocol', 'foundation'],
  // Configuration and its changes, threads, logs, and the contracts between apps and modules.
  runtime: ['runtime', 'protocol', 'foundation'],
  // Features based on the runtime layer: fleets, and clients for their stores.
  feature: ['feature', 'runtime', 'foundation'],
  // Apps that share listeners and upstreams with the `http` app.
  stream: ['foundation', 'protocol', 'runtime', 'app'],
  surface: [...core, 'app', 'stream'],
  app: ['foundation', 'protocol', 'runtime'],
  // Packages that observe or analyze an app. The app does not import them.
  insight: ['foundation', 'protocol', 'runtime', 'app', 'insight'],
  modules: [...core, 'app', 'stream'],
  admin: ['foundation', 'runtime'],
  editor: ['foundation', 'runtime'],
  // The dashboard runs in a browser, where Node's packages are not available.
  dashboard: ['@sluice/base/secrets'],
  server: [...core, 'app', 'stream', 'insight', 'modules', 'admin', 'dashboard', 'editor', 'surface'],
  tools: [...core, 'app', 'stream', 'insight', 'admin', '@sluice/testing', '@sluice/workspace'],
  example: ['surface'],
};

/** Additional imports allowed in a layer's tests. @type {Record<string, string[]>} */
const allowedInTests = {
  // The tests of the registry need the reconciler, because they provision modules.
  foundation: ['@sluice/reconciler'],
  insight: ['modules'],
  stream: ['modules'],
  modules: ['modules', 'insight'],
  editor: ['app', 'modules'],
  dashboard: [...core, 'admin', 'server'],
  example: [...core, 'modules'],
};

/** Third-party packages that only a single workspace package may import. @type {Record<string, string>} */
const reserved = { express: '@sluice/admin-api', router: '@sluice/admin-api' };

/**
 * Returns the reason why `from` must not import a module, or null if the import is allowed. @param {Package} from @param {Omit<Import,
 * 'file'>} what
 * @param {Packages} ours
 */
function objection(from, { target, specifier, test }, ours) {
  const owner = reserved[target];
  if (owner !== undefined && owner !== from.manifest.name) return `${target} may be imported by ${owner} alone`;
  const to = ours.get(target);
  if (to === undefined || to === from) return null;
  const layers = allowed[from.layer] ?? [];
  const list = test ? [...layers, '@sluice/testing', ...(allowedInTests[from.layer] ?? [])] : layers;
  if ([to.layer, target, specifier].some((each) => list.includes(each))) return null;
  return `layer:${from.layer} may not import ${specifier} (layer:${to.layer})`;
}

/**
 * Checks dependencies between layers, whether imported or only declared. @param {Package} from @param {Import[]} imports @param {Packages}
 * ours
 */
function checkArrows(from, imports, ours) {
  const { manifest, path } = from;
  const declared = [
    ...[...runtimeDependencies(manifest)].map((target) => ({ target, specifier: target, test: false })),
    ...Object.keys(manifest.devDependencies ?? {}).map((target) => ({ target, specifier: target, test: true })),
  ].filter(({ target }) => !imports.some((each) => each.target === target));
  const arrows = [...imports, ...declared.map((each) => ({ ...each, file: `${path}/package.json` }))];
  return arrows.flatMap(({ file, ...what }) => {
    const problem = objection(from, what, ours);
    return problem === null ? [] : [`${file}: ${problem}`];
  });
}

/**
 * Compares declared dependencies with imports. A package that imports nothing is considered new and is exempt. @param {Package} from @param
 * {Import[]} imports @param {ReadonlySet<string>} shared devDependencies of the workspace, for tests and tools
 */
function checkDeclarations({ manifest, path, layer }, imports, shared) {
  const runtime = runtimeDependencies(manifest);
  const development = new Set(Object.keys(manifest.devDependencies ?? {}));
  // Peer dependencies that are also installed for development are loaded only by commands that are rarely used. They are bundled, but `npm
  // start` does not install them.
  const rare = new Set(Object.keys(manifest.peerDependencies ?? {}).filter((name) => development.has(name)));
  const sources = imports.filter((each) => !each.test);
  const undeclared = imports.filter(({ target, test }) => {
    if (target === manifest.name || runtime.has(target) || rare.has(target)) return false;
    return !(test && development.has(target)) && !(shared.has(target) && (test || layer === 'tools'));
  });
  /** @param {Set<string>} declared @param {Import[]} by */
  const unused = (declared, by) =>
    [...declared].filter((name) => !name.startsWith('@types/') && !by.some((each) => each.target === name));
  return [
    ...undeclared.map(({ file, target, test }) => {
      const key = test ? 'dependencies or devDependencies' : 'dependencies or peerDependencies';
      return `${file}: ${target} is not in the ${key} of ${path}/package.json`;
    }),
    ...(sources.length > 0 ? unused(runtime, sources) : []).map(
      (name) => `${path}/package.json: ${name} is declared but not imported by its sources`,
    ),
    ...(sources.length < imports.length ? unused(development, imports) : []).map(
      (name) => `${path}/package.json: ${name} is declared but not imported by its tests`,
    ),
  ];
}

/**
 * Returns a message for each violation in the workspace. `check-package.mjs` and `npm run boundaries` call this function.
 * @param {string} [root]
 * @param {{ fix?: boolean, only?: string }} [options] `fix` writes the TypeScript references. `only` is the path of the package to check;
 *   default: all.
 * @returns {string[]}
 */
export function checkBoundaries(root = workspaceRoot, { fix = false, only } = {}) {
  const packages = readPackages(root);
  const ours = new Map(packages.map((each) => [each.manifest.name, each]));
  const shared = new Set(Object.keys(readJson(join(root, 'package.json')).devDependencies ?? {}));
  const checked = packages.filter(({ path }) => only === undefined || path === only);
  const problems = checked.flatMap((from) => {
    if (!(from.layer in allowed))
      return [`${from.path}/package.json: nx.tags needs one of layer:${Object.keys(allowed).join(', layer:')}`];
    const all = readImports(from);
    const outside = all.filter(({ target }) => target.startsWith(root) && !target.startsWith(`${from.folder}/`));
    const imports = all.filter(({ target }) => !target.startsWith(root));
    return [
      ...outside.map(({ file }) => `${file}: a relative import leaves the package`),
      ...checkArrows(from, imports, ours),
      ...checkDeclarations(from, imports, shared),
      ...checkReferences(from, ours, fix),
      ...checkCycles(from),
    ];
  });
  return [...new Set(problems)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const fix = process.argv.includes('--fix');
  const problems = checkBoundaries(workspaceRoot, { fix });
  const configurations = readPackages().map((each) => `${each.path}/tsconfig.*.json`);
  if (fix) spawnSync('oxfmt', configurations, { cwd: workspaceRoot, shell: process.platform === 'win32' });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
