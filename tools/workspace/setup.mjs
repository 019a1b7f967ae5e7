/**
 * What a fresh clone needs before anything else: its packages. `npm start` and `npm test` call it first; when it is done
 * already it costs a few milliseconds. Runs on Node 20, without dependencies.
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
 * Which packages are installed: `run`, those that the server needs when it runs, for `npm start`; or `all`, with the tools
 * that build and test it.
 * @typedef {'run' | 'all'} PackageSet
 */

/** What the stamp says when a set of the lock file is installed. @param {PackageSet} set @param {string} lockFile its text */
export function stampOf(set, lockFile) {
  return `${set} ${process.platform} ${process.arch} ${createHash('sha256').update(lockFile).digest('hex')}\n`;
}

/** Reports whether the packages that a stamp tells of are enough. @param {string} stamped @param {PackageSet} set @param {string} lockFile */
export function isEnough(stamped, set, lockFile) {
  return stamped === stampOf('all', lockFile) || (set === 'run' && stamped === stampOf('run', lockFile));
}

/** @param {string} file @returns {string} its text, empty where there is none */
const textOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** The set that is in `node_modules`: no set without tools has the compiler. @returns {PackageSet} */
const installedSet = () => (existsSync(join(workspaceRoot, 'node_modules/typescript')) ? 'all' : 'run');

/** The lock file that npm prefers to package-lock.json; it exists while npm installs. */
const lockWithAddresses = join(workspaceRoot, 'npm-shrinkwrap.json');

/** Has npm install a set; resolves to its exit code. @param {PackageSet} set @param {boolean} fresh whether there is no node_modules */
async function installWithNpm(set, fresh) {
  // The lock file has checksums: npm need not revalidate its cache.
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
  // npm ci begins by removing node_modules; an install that is only out of date is completed.
  return npm('install', '--no-save');
}

/** Installs a set of packages of the lock file unless they are there; resolves to an exit code. @param {PackageSet} set */
export async function install(set) {
  const modules = existsSync(join(workspaceRoot, 'node_modules', '@sluice'));
  if (modules && isEnough(textOf(stamp), set, textOf(lock)) && (set === 'run' || installedSet() === 'all')) return 0;
  const end = showProgress('Installing the packages of the workspace');
  // A set with the tools stays one.
  const wanted = modules && installedSet() === 'all' ? 'all' : set;
  const unpacked = !modules && (await unpackFromCache(workspaceRoot, wanted === 'all', npmCache()));
  const code = unpacked ? 0 : await installWithNpm(wanted, !modules);
  end();
  if (code === 0) writeFileSync(stamp, stampOf(wanted, textOf(lock)));
  return code;
}

/**
 * Says what takes long and for how long it has, once it has taken a second: on a terminal in one line, elsewhere every so many
 * seconds. Returns the function that ends it. @param {string} what @param {number} [interval] @returns {() => void}
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
  // npm calls it with --stamp after an install of its own, so that the next start does not install again.
  if (process.argv.includes('--stamp')) {
    if (existsSync(join(workspaceRoot, 'node_modules'))) writeFileSync(stamp, stampOf(installedSet(), textOf(lock)));
  } else {
    process.exitCode =
      (await install('all')) ||
      (await run('tsc', ['-b', 'apps/server/tsconfig.lib.json', '--checkers', '1'])) ||
      (await run('node', ['tools/packaging/src/dashboard/main.ts']));
  }
}
