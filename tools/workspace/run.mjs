/** Runs commands with the workspace's Node. Runs on Node 20 and has no dependencies. */
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { workspaceEnvironment } from './node-path.mjs';
import { workspaceRoot } from './packages.mjs';

const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1']);

/**
 * Runs a command with the workspace's Node and forwards signals to it. Resolves to its exit code: 128 plus the signal number if a signal
 * terminated the command, and 127 if the command is not found. Output goes to this process's standard output, or to `output`. `priority` is
 * one of `os.constants.priority`.
 * @param {string} command @param {readonly string[]} rest
 * @param {{ environment?: NodeJS.ProcessEnv, output?: (text: string) => void, priority?: number }} [options]
 * @returns {Promise<number>}
 */
export function run(command, rest, { environment = workspaceEnvironment(), output, priority = 0 } = {}) {
  return new Promise((done) => {
    const shell = process.platform === 'win32';
    /** @type {import('node:child_process').StdioOptions} */
    const stdio = output ? ['inherit', 'pipe', 'pipe'] : 'inherit';
    /** @type {import('node:child_process').ChildProcess} */
    const child = spawn(command, rest, { cwd: workspaceRoot, env: environment, stdio, shell });
    if (priority !== 0 && child.pid !== undefined) setPriority(child.pid, priority);
    if (output) for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', output);
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => {
      // A terminal sends SIGINT to both processes. Forwarding it would send a second SIGINT, which forces the server to exit immediately.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    for (const signal of signals) process.on(signal, forward);
    // npm sends signals to the intermediate shell, which exits without forwarding them.
    const parent = process.ppid;
    const orphaned = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(orphaned);
      child.kill('SIGTERM');
    }, 250);
    /** @param {number} code */
    const end = (code) => {
      clearInterval(orphaned);
      for (const signal of signals) process.off(signal, forward);
      done(code);
    };
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`);
      end(127);
    });
    child.on('close', (code, signal) => end(signal === null ? (code ?? 1) : 128 + constants.signals[signal]));
  });
}
