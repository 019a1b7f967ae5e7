/**
 * File locations in a bundled server. The bundler replaces `installation.ts` with this file.
 *
 * A bundle is a directory, or is embedded in a binary. In a binary, file names refer to a virtual directory next to the program (see
 * `tools/packaging/src/binary/boot.cjs`).
 */
import { existsSync, globSync, lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { getAsset, getAssetKeys, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { dataDirectory, makeDirectorySync, itemAt } from '@sluice/base';
import { CommandError } from './failure.ts';

/** Directory that contains package.json and the files that ship with the server. */
export const packageFolder: string = fileURLToPath(new URL('../', import.meta.url));

export function packageFile(name: string): Buffer {
  return isSea() ? Buffer.from(getAsset(name)) : readFileSync(join(packageFolder, name));
}

/** Reads a dashboard file. Returns `null` if it does not exist. */
export function dashboardFile(name: string): Buffer | null {
  const file = `dashboard/${name}`;
  const isThere = isSea() ? getAssetKeys().includes(file) : existsSync(join(packageFolder, file));
  return isThere ? packageFile(file) : null;
}

/**
 * Returns the directory of the welcome configuration, which `sluice run` serves by default. A binary writes its files to the data
 * directory. If that directory is read-only, it uses a user directory below the temporary directory. If both fail, throws the first error.
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

/** Returns a directory below the temporary directory. All users can write there, so the function rejects a directory that another user owns. */
function temporaryShare(): string {
  const user = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `sluice-share-${user}`);
  makeDirectorySync(folder);
  const found = lstatSync(folder);
  const isOurs = process.platform === 'win32' || (found.uid === user && (found.mode & 0o022) === 0);
  if (!found.isDirectory() || !isOurs)
    throw new CommandError(`${folder} is owned by another user; remove it, or set TMPDIR to another directory`);
  return folder;
}

/** Starts a thread that runs the code of `worker.ts`. */
export function startWorkerThread(name: string, options: WorkerOptions = {}): Worker {
  return isSea()
    ? new Worker(getAsset('boot.cjs', 'utf8'), { ...options, name, eval: true })
    : new Worker(new URL('./worker.js', import.meta.url), { ...options, name });
}

/** Returns the command-line arguments that precede the server's own arguments. They are required to restart the server. */
export function programArguments(): string[] {
  return isSea() ? [] : [...process.execArgv, itemAt(process.argv, 1)];
}

/** Packages for module authors, keyed by name. The server bundle contains their code. */
const parts: ReadonlyMap<string, string> = new Map([
  ['@sluice/module', './module.js'],
  ['@sluice/module/directive', './directive.js'],
]);

/** Returns the location of a package that is part of the bundle, or `null` for other packages. */
export function partOfServer(specifier: string): string | null {
  const file = parts.get(specifier);
  return file === undefined ? null : new URL(file, import.meta.url).href;
}

/** Returns the bundle's bill of materials in CycloneDX format. */
export function billOfMaterials(): string | null {
  return packageFile('sbom.cdx.json').toString();
}

/** Returns the names of the files whose checksums are in the bill of materials. */
export function contentNames(): string[] {
  const all = isSea() ? getAssetKeys() : globSync(['dist/**', 'config/**', 'dashboard/**'], { cwd: packageFolder });
  return all
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /^(?:dist|config|dashboard)\/.*\.\w+$/.test(name));
}
