/**
 * Where what belongs to this server is, as it is compiled file by file. A bundle has `installation-bundle.ts` in the place
 * of this file. Both stand beside the entries, since all files of a bundle lie in one folder.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { pageFolder } from '@sluice/dashboard';

/** The folder of package.json and of the files that ship with the server. */
export const packageFolder: string = fileURLToPath(new URL('../', import.meta.url));

/** TypeScript in the sources and JavaScript when built. */
const workerCode = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);

/** A file of the package of the server. */
export function packageFile(name: string): Buffer {
  return readFileSync(join(packageFolder, name));
}

/** A file of the dashboard; `null` where there is none. */
export function dashboardFile(name: string): Buffer | null {
  const file = join(pageFolder, name);
  return existsSync(file) ? readFileSync(file) : null;
}

/** The folder of the configuration that `sluice run` shows to newcomers, and of what that serves. */
export function shareFolder(): string {
  return join(packageFolder, 'config');
}

/** Starts a thread with the code of `worker.ts`. */
export function startWorkerThread(name: string, options: WorkerOptions = {}): Worker {
  return new Worker(workerCode, { ...options, name });
}

/** What stands between the program and its arguments when this server is started once more. */
export function programArguments(): string[] {
  return [...process.execArgv, process.argv[1] as string];
}

/** Where a package of ours is that is not installed beside the server but part of it; `null` if it is not. */
export function partOfServer(_specifier: string): string | null {
  return null;
}

/** The list of what a bundle is made of, in CycloneDX's form; `null` where packages are installed one by one. */
export function billOfMaterials(): string | null {
  return null;
}

/** Names of the files whose checksum a bundle has. */
export function contentNames(): string[] {
  return [];
}
