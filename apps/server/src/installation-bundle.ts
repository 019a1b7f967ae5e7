/**
 * Where what belongs to a bundled server is; the bundler puts this file in the place of `installation.ts`. The bundle is a
 * folder, or within a binary: there its files have names as if they lay in a folder beside the program, which is not there
 * (see `tools/packaging/src/binary/boot.cjs`).
 */
import { existsSync, globSync, lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { getAsset, getAssetKeys, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { dataDirectory, makeDirectorySync } from '@sluice/base';
import { CommandError } from './failure.ts';

/** The folder of package.json and of the files that ship with the server. */
export const packageFolder: string = fileURLToPath(new URL('../', import.meta.url));

/** A file of the package of the server. */
export function packageFile(name: string): Buffer {
  return isSea() ? Buffer.from(getAsset(name)) : readFileSync(join(packageFolder, name));
}

/** A file of the dashboard; `null` where there is none. */
export function dashboardFile(name: string): Buffer | null {
  const file = `dashboard/${name}`;
  const isThere = isSea() ? getAssetKeys().includes(file) : existsSync(join(packageFolder, file));
  return isThere ? packageFile(file) : null;
}

/**
 * Returns the directory of the configuration that `sluice run` shows to newcomers. A binary writes it to the data directory,
 * or to a directory of this user below the temporary directory if the data directory is read-only. Throws the first error if both fail.
 */
export function shareFolder(): string {
  if (!isSea()) return join(packageFolder, 'config');
  try {
    return writtenShare(join(dataDirectory(), 'share'));
  } catch (error) {
    try {
      return writtenShare(temporaryShare());
    } catch {
      throw error;
    }
  }
}

function writtenShare(folder: string): string {
  for (const name of getAssetKeys().filter((each) => each.startsWith('config/'))) {
    const file = join(folder, name);
    const content = packageFile(name);
    if (existsSync(file) && readFileSync(file).equals(content)) continue;
    makeDirectorySync(dirname(file), 0o777);
    const whole = `${file}.${process.pid}`;
    writeFileSync(whole, content);
    renameSync(whole, file);
  }
  return join(folder, 'config');
}

/** Everyone can write to the temporary directory: a directory of this name that another user made is not used. */
function temporaryShare(): string {
  const user = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `sluice-share-${user}`);
  makeDirectorySync(folder);
  const found = lstatSync(folder);
  const isOurs = process.platform === 'win32' || (found.uid === user && (found.mode & 0o022) === 0);
  if (!found.isDirectory() || !isOurs) throw new CommandError(`${folder} belongs to another user`);
  return folder;
}

/** Starts a thread with the code of `worker.ts`. */
export function startWorkerThread(name: string, options: WorkerOptions = {}): Worker {
  return isSea()
    ? new Worker(getAsset('boot.cjs', 'utf8'), { ...options, name, eval: true })
    : new Worker(new URL('./worker.js', import.meta.url), { ...options, name });
}

/** What stands between the program and its arguments when this server is started once more. */
export function programArguments(): string[] {
  return isSea() ? [] : [...process.execArgv, process.argv[1] as string];
}

/** What authors of modules import, by its name. Its code is that of the server itself. */
const parts: ReadonlyMap<string, string> = new Map([
  ['@sluice/module', './module.js'],
  ['@sluice/module/directive', './directive.js'],
]);

/** Where a package of ours is that is not installed beside the server but part of it; `null` if it is not. */
export function partOfServer(specifier: string): string | null {
  const file = parts.get(specifier);
  return file === undefined ? null : new URL(file, import.meta.url).href;
}

/** The list of what the bundle is made of, in CycloneDX's form. */
export function billOfMaterials(): string | null {
  return packageFile('sbom.cdx.json').toString();
}

/** Names of the files whose checksum the bill of materials has. */
export function contentNames(): string[] {
  const all = isSea() ? getAssetKeys() : globSync(['dist/**', 'config/**', 'dashboard/**'], { cwd: packageFolder });
  return all
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /^(?:dist|config|dashboard)\/.*\.\w+$/.test(name));
}
