/** Locates the Node that npm packages provide. Runs on Node 20 and has no dependencies. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { workspaceRoot } from './packages.mjs';

/**
 * Returns the directory of the packaged Node for this platform, or null if it is not installed. The names of some packages start with
 * `node-bin-`.
 */
export function packagedNodeFolder() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  for (const prefix of ['node', 'node-bin']) {
    const folder = join(workspaceRoot, 'node_modules', `${prefix}-${platform}-${process.arch}`, 'bin');
    if (existsSync(join(folder, process.platform === 'win32' ? 'node.exe' : 'node'))) return folder;
  }
  return null;
}

/** Returns the environment for workspace tools. In PATH, the directories of the workspace's Node and commands come first. */
export function workspaceEnvironment() {
  const path = [packagedNodeFolder(), join(workspaceRoot, 'node_modules', '.bin'), process.env.PATH];
  return { ...process.env, PATH: path.filter(Boolean).join(delimiter), NX_TUI: 'false' };
}

/** Returns the environment without the entries that npm prepends to PATH, because npm itself must run on the system's Node. */
export function machineEnvironment() {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !/node_modules[\\/](?:\.bin|node-)/.test(folder));
  return { ...process.env, PATH: path.join(delimiter) };
}
