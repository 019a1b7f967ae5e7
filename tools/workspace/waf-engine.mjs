/**
 * Builds the engine of the web application firewall (`tools/waf-engine`) with Go. Builds are stored in the user's cache directory under the
 * hash of their sources and survive clean checkouts. `npm run waf-engine` builds the engine for this machine and prints its path. `--find`
 * only looks for an existing build and never fails. `--target PLATFORM ARCH` builds for another platform. Runs on Node 20 and has no
 * dependencies.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workspaceRoot } from './packages.mjs';

/** @typedef {{ path: string } | { path: null, reason: string }} Engine */

const sources = join(workspaceRoot, 'tools/waf-engine');
/** Timeout in milliseconds for a download that hangs. */
const timeout = 600_000;

/** Go names of platforms and architectures, keyed by Node name. Contains only names that differ. @type {Readonly<Record<string, string>>} */
const goNames = { x64: 'amd64', win32: 'windows' };

/** Returns the path of a build in the cache. The file may not exist. @param {string} platform @param {string} arch */
function cachedPath(platform, arch) {
  const hash = createHash('sha256');
  const files = readdirSync(sources).filter((name) => /\.go$|^go\./.test(name));
  for (const name of files.sort()) hash.update(`${name}\n`).update(readFileSync(join(sources, name)));
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const build = `${platform}-${arch}-${hash.digest('hex').slice(0, 16)}`;
  return join(cache, 'sluice/waf-engine', build, 'waf-engine');
}

/** Returns the path of the engine if it has been built, and otherwise `null`. */
export function builtEngine() {
  const path = cachedPath(process.platform, process.arch);
  return existsSync(path) ? path : null;
}

/** Name of the license file that is stored next to a build. It contains the licenses of the Go modules, and packages include it. */
const licensesFile = 'licenses.txt';

/** Builds the engine if no build exists. @param {string} [platform] @param {string} [arch] @returns {Promise<Engine>} */
export async function buildEngine(platform = process.platform, arch = process.arch) {
  if (platform === 'win32') return { path: null, reason: 'the engine does not support Windows' };
  const path = cachedPath(platform, arch);
  if (existsSync(path)) return { path };
  mkdirSync(join(path, '..'), { recursive: true });
  const staged = `${path}.${process.pid}`;
  const target = { CGO_ENABLED: '0', GOOS: goNames[platform] ?? platform, GOARCH: goNames[arch] ?? arch };
  try {
    await go(['build', '-C', sources, '-trimpath', '-ldflags=-s -w', '-o', staged, '.'], target);
    const listed = await go(
      ['list', '-C', sources, '-deps', '-f', '{{with .Module}}{{.Path}} {{.Dir}}{{end}}', '.'],
      target,
    );
    const root = await go(['env', 'GOROOT'], {});
    writeFileSync(join(path, '..', licensesFile), licensesOf([`Go ${root.trim()}`, ...new Set(listed.split('\n'))]));
  } catch (error) {
    return { path: null, reason: /** @type {Error} */ (error).message };
  }
  renameSync(staged, path);
  return { path };
}

/** Returns the licenses of Go modules. @param {readonly string[]} modules lines with name and directory */
function licensesOf(modules) {
  const texts = modules.flatMap((line) => {
    const [name = '', folder = ''] = line.split(' ');
    if (folder === '' || folder === sources) return [];
    const files = readdirSync(folder).filter((each) => /^(?:licen[cs]e|copying|notice)/i.test(each));
    return files.map((file) => `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`);
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

/**
 * Runs the `go` command. Resolves to its output. Rejects with the first error. @param {readonly string[]} args @param {NodeJS.ProcessEnv}
 * environment
 */
function go(args, environment) {
  return new Promise((/** @type {(output: string) => void} */ resolve, reject) => {
    const child = spawn('go', args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
      timeout,
    });
    let [output, errors] = ['', ''];
    child.stdout.on('data', (piece) => (output += piece));
    child.stderr.on('data', (piece) => (errors += piece));
    child.on('error', (error) => {
      const isMissing = /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT';
      reject(new Error(isMissing ? 'Go is not installed' : `cannot start Go: ${error.message}`));
    });
    child.on('close', (code, signal) => {
      const lines = errors.split('\n').filter((line) => line !== '' && !line.startsWith('go: downloading'));
      if (code === 0) resolve(output);
      else reject(new Error(`go ${args[0]} failed (${signal ?? code}): ${lines[0] ?? ''}`));
    });
  });
}

/** Copies the engine to the location where `npm start` and `npx sluice` look for it. @param {string} path */
function install(path) {
  const target = join(workspaceRoot, 'apps/server/engine/waf-engine');
  mkdirSync(join(target, '..'), { recursive: true });
  copyFileSync(path, `${target}.part`);
  renameSync(`${target}.part`, target);
  return target;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [option, ...target] = process.argv.slice(2);
  if (option === '--find') console.log(builtEngine() ?? 'none');
  else {
    const engine = await buildEngine(...target);
    if (engine.path === null)
      console.error(`cannot build the engine of the web application firewall: ${engine.reason}`);
    else console.log(option === '--target' ? engine.path : install(engine.path));
    process.exitCode = engine.path === null ? 1 : 0;
  }
}
