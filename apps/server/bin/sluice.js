#!/usr/bin/env node
// Starts the built server. On a machine whose Node is older than the one packaged with the workspace, it runs itself
// again on that one, so that `npx sluice` works wherever npm does; where there is none, npm fetches it. Runs on Node 20
// and has no dependency.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fetchNode, findNode, packaged } from './own-node.js';

const oldest = 24;
const main = new URL('../dist/main.js', import.meta.url);

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
if (!existsSync(main)) fail('not built yet: run `npm run build` in the workspace');
const node = major < Number.parseInt(packaged, 10) ? (findNode() ?? (major < oldest ? fetchNode() : null)) : null;
if (node !== null) runOn(node);
else if (major < oldest)
  fail(`needs Node ${oldest} or later, this is ${process.versions.node}, and npm could not fetch a newer one`);
else await import(main.href);
