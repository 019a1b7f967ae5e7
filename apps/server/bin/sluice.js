#!/usr/bin/env node
// Starts the built server or, in a clone without a build, the sources. If the Node of the machine is too old, this file
// runs again on the packaged one, so that `npx sluice` works with every Node from 20 on. Runs on Node 20 and has no
// dependencies.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fetchNode, findNode, packaged } from './own-node.js';

const oldest = 24;
const built = new URL('../dist/main.js', import.meta.url);
const sources = new URL('../src/main.ts', import.meta.url);
const isBuilt = existsSync(built);

/** Resolves the packages of the workspace to their sources. Threads inherit it. */
const fromSources = '--conditions=@sluice/source';

/** Runs this file on another Node or from sources. Passes on its signals and exit code. */
function runOn(node) {
  const program = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn(node, isBuilt ? program : [fromSources, ...program], { stdio: 'inherit' });
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
if (!isBuilt && !existsSync(sources)) fail('not built yet: run `npm run build` in the workspace');
let node = null;
try {
  if (major < Number.parseInt(packaged, 10)) node = findNode() ?? (major < oldest ? fetchNode() : null);
} catch (error) {
  fail(error.message);
}
if (node !== null) runOn(node);
else if (isBuilt) await import(built.href);
else if (process.execArgv.includes(fromSources)) await import(sources.href);
else runOn(process.execPath);
