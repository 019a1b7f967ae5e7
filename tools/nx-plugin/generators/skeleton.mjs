/** Generates the files of a workspace package other than its sources, so that all packages have the same structure. */
import { readJson, versionOf, writeJson } from './tree.mjs';

/** @typedef {import('./tree.mjs').Tree} Tree */

/**
 * A package to create.
 * @typedef {object} NewPackage
 * @property {string} path Directory relative to the workspace. Its last part is the name.
 * @property {string} layer See `tools/workspace/boundaries.mjs`.
 * @property {string} description One sentence.
 * @property {readonly string[]} [peers] Required packages of the workspace.
 */

/** @param {NewPackage} made @param {string} version @returns {Record<string, unknown>} */
function filesOf({ path, layer, description, peers = [] }, version) {
  const project = path.slice(path.lastIndexOf('/') + 1);
  const base = `${'../'.repeat(path.split('/').length)}tsconfig.base.json`;
  return {
    'package.json': {
      name: `@sluice/${project}`,
      version,
      ...((layer === 'tools' || layer === 'example') && { private: true }),
      description,
      license: 'Apache-2.0',
      files: ['dist'],
      type: 'module',
      exports: {
        '.': { '@sluice/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
        './package.json': './package.json',
      },
      ...(peers.length > 0 && { peerDependencies: Object.fromEntries(peers.map((name) => [name, version])) }),
      engines: { node: '>=24' },
      nx: { name: project, tags: [`layer:${layer}`] },
    },
    'tsconfig.json': { files: [], references: [{ path: './tsconfig.lib.json' }, { path: './tsconfig.spec.json' }] },
    'tsconfig.lib.json': {
      extends: base,
      compilerOptions: { rootDir: 'src', outDir: 'dist', tsBuildInfoFile: 'dist/tsconfig.lib.tsbuildinfo' },
      include: ['src/**/*'],
      references: [],
    },
    'tsconfig.spec.json': {
      extends: base,
      compilerOptions: {
        composite: false,
        noEmit: true,
        allowImportingTsExtensions: true,
        rewriteRelativeImportExtensions: false,
        types: ['node', 'mocha'],
        tsBuildInfoFile: 'dist/tsconfig.spec.tsbuildinfo',
      },
      include: ['test/**/*'],
      references: [],
    },
    'README.md': `# @sluice/${project}\n\n${description}\n\nTests: \`npx nx test ${project}\`.\n`,
  };
}

/** Writes the missing files of a package and adds the package to the root tsconfig.json. @param {Tree} tree @param {NewPackage} made */
export function writePackage(tree, made) {
  for (const [name, content] of Object.entries(filesOf(made, versionOf(tree)))) {
    const path = `${made.path}/${name}`;
    if (tree.exists(path)) continue;
    if (typeof content === 'string') tree.write(path, content);
    else writeJson(tree, path, content);
  }
  if (!tree.exists(`${made.path}/src/index.ts`)) tree.write(`${made.path}/src/index.ts`, 'export {};\n');
  const solution = readJson(tree, 'tsconfig.json');
  /** @type {string[]} */
  const listed = solution.references.map((/** @type {{ path: string }} */ each) => each.path);
  const references = [...new Set([...listed, `./${made.path}`])].sort().map((path) => ({ path }));
  writeJson(tree, 'tsconfig.json', { ...solution, references });
}
