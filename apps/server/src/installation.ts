/**
 * File locations of a server that is not bundled. A bundle contains `installation-bundle.ts` instead.
 *
 * Both files are next to the entry points, because all files of a bundle are in one directory.
 */
import { itemAt } from '@sluice/base';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { pageFolder } from '@sluice/dashboard';

/** Directory of package.json and of the files that ship with the server. */
export const packageFolder: string = fileURLToPath(new URL('../', import.meta.url));

/** TypeScript if run from sources, JavaScript if built. */
const workerCode = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);

export function packageFile(name: string): Buffer {
  return readFileSync(join(packageFolder, name));
}

/** Reads a dashboard file; `null` if it does not exist. */
export function dashboardFile(name: string): Buffer | null {
  const file = join(pageFolder, name);
  return existsSync(file) ? readFileSync(file) : null;
}

/** Returns the directory of the welcome configuration, which `sluice run` serves by default, and its files. */
export function shareFolder(): string {
  return join(packageFolder, 'config');
}

/** Starts a thread with the code of `worker.ts`. */
export function startWorkerThread(name: string, options: WorkerOptions = {}): Worker {
  return new Worker(workerCode, { ...options, name });
}

/** Returns the arguments between the program and the server's own arguments, for restarting this server. */
export function programArguments(): string[] {
  return [...process.execArgv, itemAt(process.argv, 1)];
}

/** Returns the location of a package that is part of a bundle; `null` for other packages. */
export function partOfServer(_specifier: string): string | null {
  return null;
}

/** Returns the bill of materials of a bundle in CycloneDX format; `null` if packages are installed separately. */
export function billOfMaterials(): string | null {
  return null;
}

/** Returns the names of files with a checksum in a bundle. */
export function contentNames(): string[] {
  return [];
}
