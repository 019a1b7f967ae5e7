/**
 * Installs the packages that a fresh clone needs. `npm start` and `npm test` run this first. If the packages are already installed, this
 * takes a few milliseconds. Runs on Node 20 and has no dependencies.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCache, withAddresses } from './install/lock.mjs';
import { unpackFromCache } from './install/unpack.mjs';
import { machineEnvironment } from './node-path.mjs';
import { workspaceRoot } from './packages.mjs';
import { run } from './run.mjs';

const lock = join(workspaceRoot, 'package-lock.json');
const stamp = join(workspaceRoot, 'node_modules', '.sluice-setup');

/**
 * Set of packages to install: `run` for `npm start`, with the run-time dependencies of the server, or `all` with the tools for building and
 * testing.
 * @typedef {'run' | 'all'} PackageSet
 */

/** Returns the stamp that identifies an installed package set of a lockfile. @param {PackageSet} set @param {string} lockFile its text */
export function stampOf(set, lockFile) {
  return `${set} ${process.platform} ${process.arch} ${createHash('sha256').update(lockFile).digest('hex')}\n`;
}

/** Reports whether the packages of a stamp include the given set. @param {string} stamped @param {PackageSet} set @param {string} lockFile */
export function isEnough(stamped, set, lockFile) {
  return stamped === stampOf('all', lockFile) || (set === 'run' && stamped === stampOf('run', lockFile));
}

/** @param {string} file @returns {string} its text, or empty if it does not exist */
const textOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** Returns the package set installed in `node_modules`. Only the set with tools contains the compiler. @returns {PackageSet} */
const installedSet = () => (existsSync(join(workspaceRoot, 'node_modules/typescript')) ? 'all' : 'run');

/** A lockfile that npm prefers to package-lock.json. It exists only during an npm installation. */
const lockWithAddresses = join(workspaceRoot, 'npm-shrinkwrap.json');

/**
 * Installs a package set with npm. Resolves to npm's exit code. @param {PackageSet} set @param {boolean} fresh true if there is no
 * node_modules
 */
async function installWithNpm(set, fresh) {
  // The lockfile contains checksums, so npm does not need to revalidate its cache.
  const options = ['--prefer-offline', '--loglevel=error', ...(set === 'run' ? ['--omit=dev'] : [])];
  /** @param {...string} rest */
  const npm = (...rest) => run('npm', [...rest, '--ignore-scripts', ...options], { environment: machineEnvironment() });
  if (fresh) {
    writeFileSync(lockWithAddresses, JSON.stringify(withAddresses(JSON.parse(textOf(lock)))));
    try {
      if ((await npm('ci', '--replace-registry-host=always')) === 0) return 0;
    } finally {
      rmSync(lockWithAddresses);
    }
  }
  // `npm ci` deletes node_modules first. An outdated installation is therefore updated with `npm install`.
  return npm('install', '--no-save');
}

/** Installs a package set from the lockfile if packages are missing. Resolves to an exit code. @param {PackageSet} set */
export async function install(set) {
  const modules = existsSync(join(workspaceRoot, 'node_modules', '@sluice'));
  if (modules && isEnough(textOf(stamp), set, textOf(lock)) && (set === 'run' || installedSet() === 'all')) return 0;
  const end = showProgress('Installing the packages of the workspace');
  // If the existing installation includes the tools, keep them.
  const wanted = modules && installedSet() === 'all' ? 'all' : set;
  const unpacked = !modules && (await unpackFromCache(workspaceRoot, wanted === 'all', npmCache()));
  const code = unpacked ? 0 : await installWithNpm(wanted, !modules);
  end();
  if (code === 0) writeFileSync(stamp, stampOf(wanted, textOf(lock)));
  return code;
}

/**
 * Prints a message with the elapsed time after one second. On a terminal, updates the message in place. Otherwise, repeats it every
 * `interval` seconds. Returns a function that stops the output. @param {string} what @param {number} [interval] @returns {() => void}
 */
export function showProgress(what, interval = 10) {
  const start = Date.now();
  const onTerminal = process.stdout.isTTY;
  let said = 0;
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - start) / 1000);
    if (said === 0) console.log(`${what} …`);
    else if (onTerminal) process.stdout.write(`\r  ${seconds} s`);
    else if (seconds % interval === 0) console.log(`  ${seconds} s`);
    said++;
  }, 1000);
  return () => {
    clearInterval(timer);
    if (said > 1 && onTerminal) process.stdout.write('\n');
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // npm runs this with --stamp after its own installation, so that the next start does not install again.
  if (process.argv.includes('--stamp')) {
    if (existsSync(join(workspaceRoot, 'node_modules'))) writeFileSync(stamp, stampOf(installedSet(), textOf(lock)));
  } else {
    process.exitCode =
      (await install('all')) ||
      (await run('tsc', ['-b', 'apps/server/tsconfig.lib.json', '--checkers', '1'])) ||
      (await run('node', ['tools/packaging/src/dashboard/main.ts']));
  }
}
