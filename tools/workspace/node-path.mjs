/** Where the packaged Node is. Runs on Node 20, without dependencies. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { workspaceRoot } from './packages.mjs';

/** Folder of the packaged Node of this platform, or null when none is installed; some platforms say `node-bin-`. */
export function packagedNodeFolder() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  for (const prefix of ['node', 'node-bin']) {
    const folder = join(workspaceRoot, 'node_modules', `${prefix}-${platform}-${process.arch}`, 'bin');
    if (existsSync(join(folder, process.platform === 'win32' ? 'node.exe' : 'node'))) return folder;
  }
  return null;
}

/** The environment in which the tools of the workspace run: its own Node and its own commands come first. */
export function workspaceEnvironment() {
  const path = [packagedNodeFolder(), join(workspaceRoot, 'node_modules', '.bin'), process.env.PATH];
  return { ...process.env, PATH: path.filter(Boolean).join(delimiter), NX_TUI: 'false' };
}

/** The environment of the machine, without what npm puts before its path: npm itself runs on the machine's Node. */
export function machineEnvironment() {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !/node_modules[\\/](?:\.bin|node-)/.test(folder));
  return { ...process.env, PATH: path.join(delimiter) };
}
