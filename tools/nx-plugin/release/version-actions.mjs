/**
 * Defines how `nx release` reads and writes versions. All packages are released together with the same version. The version is also written
 * to every dependency between them.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VersionActions } from 'nx/src/command-line/release/version/version-actions.js';
import { releasedChangelog } from './changelog.mjs';

/** @typedef {import('nx/src/devkit-exports').Tree} Tree */

const collections = ['dependencies', 'peerDependencies', 'devDependencies', 'optionalDependencies'];

/** File that contains the module API version, relative to the package directory. */
const apiVersion = 'src/api-version.ts';

export class PackageVersions extends VersionActions {
  /** @type {((root: string, options: { dryRun?: boolean }) => Promise<object>) | undefined} */
  static afterAllProjectsVersioned;

  validManifestFilenames = ['package.json'];

  get #manifest() {
    return join(this.projectGraphNode.data.root, 'package.json');
  }

  /** @param {Tree} tree */
  async readCurrentVersionFromSourceManifest(tree) {
    return { currentVersion: read(tree, this.#manifest).version, manifestPath: this.#manifest };
  }

  async readCurrentVersionFromRegistry() {
    return null;
  }

  /** @param {Tree} tree @param {any} graph @param {string} dependency */
  async readCurrentVersionOfDependency(tree, graph, dependency) {
    const manifest = read(tree, this.#manifest);
    const { name } = read(tree, join(graph.nodes[dependency].data.root, 'package.json'));
    const found = collections.find((collection) => manifest[collection]?.[name] !== undefined);
    return { currentVersion: found ? manifest[found][name] : null, dependencyCollection: found ?? null };
  }

  /** @param {Tree} tree @param {string} version */
  async updateProjectVersion(tree, version) {
    const manifest = read(tree, this.#manifest);
    tree.write(this.#manifest, `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
    const file = join(this.projectGraphNode.data.root, apiVersion);
    const source = tree.exists(file) ? (tree.read(file, 'utf8') ?? '') : '';
    if (source !== '') tree.write(file, source.replace(/apiVersion = '[^']*'/, `apiVersion = '${version}'`));
    return [`${manifest.name} ${manifest.version} -> ${version}`];
  }

  /** @param {Tree} tree @param {any} graph @param {Record<string, string>} versions By project. */
  async updateProjectDependencies(tree, graph, versions) {
    const manifest = read(tree, this.#manifest);
    const ours = new Map(
      Object.entries(versions).map(([project, version]) => [
        read(tree, join(graph.nodes[project].data.root, 'package.json')).name,
        version,
      ]),
    );
    for (const collection of collections)
      for (const name of Object.keys(manifest[collection] ?? {}))
        if (ours.has(name)) manifest[collection][name] = ours.get(name);
    tree.write(this.#manifest, `${JSON.stringify(manifest, null, 2)}\n`);
    return [];
  }
}

/** @param {Tree} tree @param {string} path */
function read(tree, path) {
  return JSON.parse(tree.read(path, 'utf8') ?? '{}');
}

/**
 * Called by nx after all packages have been versioned. Writes the version to files that nx does not update: the changelog, the workspace
 * and extension manifests, and the lockfile.
 * @param {string} root
 * @param {{ dryRun?: boolean }} options
 */
async function afterAllProjectsVersioned(root, { dryRun = false }) {
  const { version } = JSON.parse(readFileSync(join(root, 'libs/registry/package.json'), 'utf8'));
  const files = ['CHANGELOG.md', 'package.json', 'editors/vscode/package.json', 'package-lock.json'];
  if (dryRun) return { changedFiles: files, deletedFiles: [] };
  const changelog = join(root, 'CHANGELOG.md');
  writeFileSync(changelog, releasedChangelog(readFileSync(changelog, 'utf8'), version));
  for (const name of ['package.json', 'editors/vscode/package.json']) {
    const manifest = JSON.parse(readFileSync(join(root, name), 'utf8'));
    writeFileSync(join(root, name), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
  }
  const args = ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error('npm failed to update package-lock.json');
  return { changedFiles: files, deletedFiles: [] };
}

PackageVersions.afterAllProjectsVersioned = afterAllProjectsVersioned;

// nx loads this file with `require` and uses the export `module.exports`.
export { PackageVersions as 'module.exports' };
