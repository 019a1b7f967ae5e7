/** Detects whether the compiled server is older than its sources. Runs on Node 20 and has no dependencies. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readPackages, workspaceRoot } from './packages.mjs';

/**
 * Reports whether a compiled server exists and a source file is newer. Reads the modification time of every source, which takes tens of
 * milliseconds.
 * @param {string} [root]
 */
export function buildIsStale(root = workspaceRoot) {
  const dist = join(root, 'apps/server/dist');
  const info = join(dist, 'tsconfig.lib.tsbuildinfo');
  if (!existsSync(join(dist, 'main.js'))) return false;
  if (!existsSync(info)) return true;
  const built = statSync(info).mtimeMs;
  const isNewer = (/** @type {string} */ folder) =>
    existsSync(folder) &&
    readdirSync(folder, { recursive: true, withFileTypes: true }).some(
      (entry) => entry.isFile() && statSync(join(entry.parentPath, entry.name)).mtimeMs > built,
    );
  return readPackages(root).some(({ path, folder }) => /^(?:apps|libs)\//.test(path) && isNewer(join(folder, 'src')));
}
