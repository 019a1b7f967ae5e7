/**
 * Installs the packages that a fresh clone needs. `npm start` and `npm test` call it first. If they are already installed, it takes a few
 * milliseconds. Runs on Node 20, without dependencies.
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

/** Returns the stamp for an installed set of the lock file. @param {PackageSet} set @param {string} lockFile its text */
export function stampOf(set, lockFile) {
  return `${set} ${process.platform} ${process.arch} ${createHash('sha256').update(lockFile).digest('hex')}\n`;
}

/** Reports whether the packages of a stamp include the set. @param {string} stamped @param {PackageSet} set @param {string} lockFile */
export function isEnough(stamped, set, lockFile) {
  return stamped === stampOf('all', lockFile) || (set === 'run' && stamped === stampOf('run', lockFile));
}

/** @param {string} file @returns {string} its text, or empty if it does not exist */
const textOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** Returns the set in `node_modules`. Only the set with tools has the compiler. @returns {PackageSet} */
const installedSet = () => (existsSync(join(workspaceRoot, 'node_modules/typescript')) ? 'all' : 'run');

/** A lock file that npm prefers to package-lock.json. It exists only while npm installs. */
const lockWithAddresses = join(workspaceRoot, 'npm-shrinkwrap.json');

/** Installs a set with npm. Resolves to npm's exit code. @param {PackageSet} set @param {boolean} fresh true if there is no node_modules */
async function installWithNpm(set, fresh) {
  // The lock file has checksums, so npm need not revalidate its cache.
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
  // npm ci removes node_modules first, so an outdated installation is updated with npm install instead.
  return npm('install', '--no-save');
}

/** Installs a set of packages from the lock file if they are missing. Resolves to an exit code. @param {PackageSet} set */
export async function install(set) {
  const modules = existsSync(join(workspaceRoot, 'node_modules', '@sluice'));
  if (modules && isEnough(textOf(stamp), set, textOf(lock)) && (set === 'run' || installedSet() === 'all')) return 0;
  const end = showProgress('Installing the packages of the workspace');
  // An installation with tools keeps them.
  const wanted = modules && installedSet() === 'all' ? 'all' : set;
  const unpacked = !modules && (await unpackFromCache(workspaceRoot, wanted === 'all', npmCache()));
  const code = unpacked ? 0 : await installWithNpm(wanted, !modules);
  end();
  if (code === 0) writeFileSync(stamp, stampOf(wanted, textOf(lock)));
  return code;
}

/**
 * Prints a message with the elapsed time after one second: on a terminal updated in place, otherwise at an interval in seconds. Returns the
 * function that stops it. @param {string} what @param {number} [interval] @returns {() => void}
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
  // npm calls it with --stamp after its own install, so that the next start does not install again.
  if (process.argv.includes('--stamp')) {
    if (existsSync(join(workspaceRoot, 'node_modules'))) writeFileSync(stamp, stampOf(installedSet(), textOf(lock)));
  } else {
    process.exitCode =
      (await install('all')) ||
      (await run('tsc', ['-b', 'apps/server/tsconfig.lib.json', '--checkers', '1'])) ||
      (await run('node', ['tools/packaging/src/dashboard/main.ts']));
  }
}
