/**
 * File locations in a server that is not bundled. In a bundle, `installation-bundle.ts` replaces this file.
 *
 * Both files are next to the entry points, because all files of a bundle are in one directory.
 */
import { itemAt } from '@sluice/base';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { pageFolder } from '@sluice/dashboard';

/** Directory that contains package.json and the files that ship with the server. */
export const packageFolder: string = fileURLToPath(new URL('../', import.meta.url));

/** Path of the worker code, which is TypeScript when run from source and JavaScript when built. */
const workerCode = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);

export function packageFile(name: string): Buffer {
  return readFileSync(join(packageFolder, name));
}

/** Reads a dashboard file. Returns `null` if it does not exist. */
export function dashboardFile(name: string): Buffer | null {
  const file = join(pageFolder, name);
  return existsSync(file) ? readFileSync(file) : null;
}

/** Returns the directory of the welcome configuration and its files. `sluice run` serves this configuration by default. */
export function shareFolder(): string {
  return join(packageFolder, 'config');
}

/** Starts a thread that runs the code of `worker.ts`. */
export function startWorkerThread(name: string, options: WorkerOptions = {}): Worker {
  return new Worker(workerCode, { ...options, name });
}

/** Returns the command-line arguments that precede the server's own arguments. They are required to restart the server. */
export function programArguments(): string[] {
  return [...process.execArgv, itemAt(process.argv, 1)];
}

/** Returns the location of a package that is part of a bundle. Always `null`, because this server is not bundled. */
export function partOfServer(_specifier: string): string | null {
  return null;
}

/** Returns a bundle's bill of materials in CycloneDX format. Always `null`, because packages are installed separately. */
export function billOfMaterials(): string | null {
  return null;
}

/** Returns the names of a bundle's checksummed files. Always empty, because this server is not bundled. */
export function contentNames(): string[] {
  return [];
}
