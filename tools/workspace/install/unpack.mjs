/**
 * Installs the same packages as `npm ci` from npm's cache in a fifth of the time. Unpacks the archives on several threads.
 * package-lock.json identifies them by checksum. npm still fills the cache. If an archive is missing from the cache, npm performs the whole
 * installation. Runs on Node 20 and has no dependencies.
 */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { cachedArchive, entriesToInstall, libc } from './lock.mjs';
import { readTar } from './tar.mjs';

/** @typedef {import('./lock.mjs').LockEntry} LockEntry */
/** @typedef {{ archive: string, integrity: string, folder: string, bins: string[] }} Unpacking */

/** Verifies the archive of a package and unpacks it. @param {Unpacking} unpacking */
function unpack({ archive, integrity, folder, bins }) {
  const compressed = readFileSync(archive);
  if (`sha512-${createHash('sha512').update(compressed).digest('base64')}` !== integrity)
    throw new Error(`${archive} does not match the checksum in the lock file`);
  const made = new Set();
  for (const { path, executable, content } of readTar(gunzipSync(compressed))) {
    const file = join(folder, path);
    const parent = dirname(file);
    if (!made.has(parent)) mkdirSync(parent, { recursive: true });
    made.add(parent);
    writeFileSync(file, content, { mode: executable ? 0o755 : 0o644 });
  }
  for (const bin of bins) chmodSync(join(folder, bin), 0o755);
}

/**
 * Creates links to the commands of a package in the `.bin` directory next to it.
 * @param {string} path of the package @param {string} target @param {Record<string, string>} bin
 */
function linkCommands(path, target, bin) {
  const modules = path.slice(0, path.lastIndexOf('node_modules/') + 'node_modules'.length);
  mkdirSync(join(modules, '.bin'), { recursive: true });
  for (const [name, file] of Object.entries(bin)) {
    const link = join(modules, '.bin', name.slice(name.lastIndexOf('/') + 1));
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(target, file)), link);
  }
}

/** Unpacks packages on several threads. Each thread takes the next package. @param {Unpacking[]} unpackings */
async function unpackAll(unpackings) {
  const next = new Int32Array(new SharedArrayBuffer(4));
  const threads = Array.from({ length: Math.min(4, availableParallelism()) }, () => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { unpackings, next }, execArgv: [] });
    return new Promise((done, failed) => worker.on('error', failed).on('exit', done));
  });
  await Promise.all(threads);
}

/**
 * Returns the lockfile that npm stores in node_modules. It lists the installed packages with checksums, which npm and `sluice build-info`
 * read.
 * @param {{ packages: Record<string, LockEntry> }} lock
 * @param {[path: string, entry: LockEntry][]} entries installed entries
 */
function installedLock(lock, entries) {
  const installed = new Map(entries);
  for (const { link, resolved } of [...installed.values()]) {
    const target = link && resolved ? lock.packages[resolved] : undefined;
    if (resolved && target) installed.set(resolved, target);
  }
  return JSON.stringify({ ...lock, packages: Object.fromEntries(installed) }, null, 2);
}

/**
 * Unpacks the lockfile's packages into a workspace without node_modules. Resolves to true on success. Resolves to false and removes all
 * unpacked files if an archive is corrupted or missing from the cache. Also resolves to false on Windows, where npm writes commands as
 * scripts. @param {string} root @param {boolean} withDev @param {string} cache
 */
export async function unpackFromCache(root, withDev, cache) {
  if (process.platform === 'win32') return false;
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const machine = { platform: process.platform, cpu: process.arch, libc: libc() };
  const entries = entriesToInstall(lock.packages, withDev, machine);
  /** @type {(Unpacking & { size: number })[]} */
  const unpackings = [];
  for (const [path, { link, integrity = '', bin = {} }] of entries) {
    if (link) continue;
    const archive = integrity.startsWith('sha512-') ? cachedArchive(cache, integrity) : '';
    const size = statSync(archive, { throwIfNoEntry: false })?.size;
    if (size === undefined) return false;
    unpackings.push({ archive, integrity, folder: join(root, path), bins: Object.values(bin), size });
  }
  try {
    await unpackAll(unpackings.sort((a, b) => b.size - a.size));
    for (const [path, { link, resolved = '', bin }] of entries) {
      const commands = link ? lock.packages[resolved]?.bin : bin;
      if (link) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        symlinkSync(relative(dirname(join(root, path)), join(root, resolved)), join(root, path));
      }
      if (commands) linkCommands(join(root, path), join(root, path), commands);
    }
    writeFileSync(join(root, 'node_modules/.package-lock.json'), installedLock(lock, entries));
    return true;
  } catch (error) {
    console.error(`npm installs instead: ${/** @type {Error} */ (error).message}`);
    for (const [path] of entries) rmSync(join(root, path), { recursive: true, force: true });
    return false;
  }
}

if (!isMainThread && workerData?.unpackings) {
  const { unpackings, next } = workerData;
  for (let i = Atomics.add(next, 0, 1); i < unpackings.length; i = Atomics.add(next, 0, 1)) unpack(unpackings[i]);
}
