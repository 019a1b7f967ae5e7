/**
 * What a fresh clone needs before anything else: its packages. `npm start` and `npm test` call it first; when it is done
 * already it costs a few milliseconds. Runs on Node 20, without dependencies.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { machineEnvironment } from './node-path.mjs';
import { workspaceRoot } from './packages.mjs';
import { run } from './run.mjs';

const lock = join(workspaceRoot, 'package-lock.json');
const stamp = join(workspaceRoot, 'node_modules', '.sluice-setup');

/** What node_modules was installed from: the lock file and the platform. */
function wanted() {
  const hash = existsSync(lock) ? createHash('sha256').update(readFileSync(lock)).digest('hex') : 'no lock file';
  return `${process.platform} ${process.arch} ${hash}\n`;
}

/** Installs the packages of the lock file unless they are there; resolves to an exit code. */
export async function install() {
  const compiler = join(workspaceRoot, 'node_modules', 'typescript');
  if (existsSync(compiler) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted()) return 0;
  const end = showProgress('Installing the packages of the workspace');
  /** @param {...string} rest */
  const npm = (...rest) => run('npm', [...rest, '--loglevel=error'], { environment: machineEnvironment() });
  // npm ci begins by removing node_modules; an install that is only out of date is brought up to date in place.
  const clean = !existsSync(compiler) && (await npm('ci')) === 0;
  const code = clean ? 0 : await npm('install', '--no-save');
  end();
  if (code === 0) writeFileSync(stamp, wanted());
  return code;
}

/** Compiles a TypeScript project and what it references, as far as they are stale, and the page of the dashboard; resolves to an exit code. @param {string} project */
export async function build(project) {
  const end = showProgress('Compiling');
  try {
    // The page is made of sources. Packages are compiled side by side already: more checkers in each do the same work again.
    const [compiled, made] = await Promise.all([
      run('tsc', ['-b', project, '--checkers', '1']),
      run('node', ['tools/packaging/src/dashboard/main.ts']),
    ]);
    return compiled || made;
  } finally {
    end();
  }
}

/**
 * Says what takes long and for how long it has, once it has taken a second: on a terminal in one line, elsewhere every ten
 * seconds. Gives the function that ends it. @param {string} what @returns {() => void}
 */
export function showProgress(what) {
  const start = Date.now();
  const onTerminal = process.stdout.isTTY;
  let said = 0;
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - start) / 1000);
    if (said === 0) console.log(`${what}, which takes a while when there is much that is new …`);
    else if (onTerminal) process.stdout.write(`\r  ${seconds} s`);
    else if (seconds % 10 === 0) console.log(`  ${seconds} s`);
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
    if (existsSync(join(workspaceRoot, 'node_modules'))) writeFileSync(stamp, wanted());
  } else {
    process.exitCode = (await install()) || (await build('apps/server/tsconfig.lib.json'));
  }
}
