/**
 * Makes the skeleton of a package, so that all packages of the workspace look alike; what exists already is kept.
 * `node tools/workspace/new-package.mjs libs/modules/http.handlers layer:modules`, then `npm install`.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readJson, workspaceRoot } from './packages.mjs';

/** What packages of a layer need of ours from the first line on; the rest is added by hand. @type {Record<string, string[]>} */
const peers = { app: ['@sluice/registry'], admin: ['@sluice/registry'], modules: ['@sluice/registry'] };

/** The files of a package but for its sources, by name. @param {string} path @param {string} layer @param {string} root */
function filesOf(path, layer, root) {
  const project = basename(path);
  const base = relative(join(root, path), join(root, 'tsconfig.base.json')).replaceAll('\\', '/');
  const peerDependencies = Object.fromEntries((peers[layer] ?? []).map((name) => [name, '0.1.0']));
  return {
    'package.json': {
      name: `@sluice/${project}`,
      version: '0.1.0',
      ...((layer === 'tools' || layer === 'example') && { private: true }),
      description: `${project} of Sluice.`,
      type: 'module',
      exports: {
        '.': { '@sluice/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
        './package.json': './package.json',
      },
      files: ['dist'],
      ...(layer in peers && { peerDependencies }),
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
    'README.md': `# @sluice/${project}\n\n${project} of Sluice.\n\nTests: \`npx nx test ${project}\`.\n`,
  };
}

/** @param {string} path @param {unknown} content JSON value, or text as it is */
function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
}

/**
 * Writes what a package lacks, and refers to it in the root tsconfig.json. Called by the command line below.
 * @param {string} path Folder relative to the workspace. @param {string} layer @param {string} [root] The workspace.
 */
export function newPackage(path, layer, root = workspaceRoot) {
  for (const [name, content] of Object.entries(filesOf(path, layer, root))) {
    if (!existsSync(join(root, path, name))) write(join(root, path, name), content);
  }
  if (!existsSync(join(root, path, 'src'))) write(join(root, path, 'src/index.ts'), 'export {};\n');
  const solution = join(root, 'tsconfig.json');
  /** @type {string[]} */
  const referenced = readJson(solution).references.map((/** @type {{ path: string }} */ each) => each.path);
  const references = [...new Set([...referenced, `./${path}`])].sort().map((each) => ({ path: each }));
  write(solution, { files: [], references });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [path, tag] = process.argv.slice(2);
  if (!path || !tag?.startsWith('layer:')) {
    console.error('usage: node tools/workspace/new-package.mjs <path> layer:<layer>');
    process.exit(2);
  }
  newPackage(path.replace(/\/$/, ''), tag.slice('layer:'.length));
  console.log(`${path} is made. Now: npm install && npm run boundaries -- --fix && npm run format`);
}
