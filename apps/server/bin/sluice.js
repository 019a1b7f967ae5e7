#!/usr/bin/env node
// Starts the built server. On a machine whose Node is older than the one packaged with the workspace, it runs itself
// again on that one, so that `npx sluice` works wherever npm does. Runs on Node 20 and has no dependency.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const oldest = 24;
const packaged = 26;
const main = new URL('../dist/main.js', import.meta.url);

/** Path of the packaged Node of this platform, or null when it is not installed. */
function packagedNode() {
  const require = createRequire(import.meta.url);
  for (const prefix of ['node', 'node-bin']) {
    const platform = process.platform === 'win32' ? 'win' : process.platform;
    try {
      const folder = dirname(require.resolve(`${prefix}-${platform}-${process.arch}/package.json`));
      const path = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
      if (existsSync(path)) return path;
    } catch {
      // Not installed under this name: the next one, or none.
    }
  }
  return null;
}

/** Runs this file on another Node, with its signals and its exit code. */
function runOn(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (error) => fail(`cannot start ${node}: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function fail(message) {
  process.stderr.write(`sluice: ${message}\n`);
  process.exit(1);
}

const major = Number.parseInt(process.versions.node, 10);
const node = major < packaged ? packagedNode() : null;
if (!existsSync(main)) fail('not built yet: run `npm run build` in the workspace');
else if (node !== null) runOn(node);
else if (major < oldest) fail(`needs Node ${oldest} or later, this is ${process.versions.node}`);
else await import(main.href);
