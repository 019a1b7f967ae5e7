/** `sluice start`: starts the server in the background. */
import { spawn } from 'node:child_process';
import { CommandError } from '../../failure.ts';
import { programArguments } from '../../installation.ts';
import type { RunOptions } from '../../run-options.ts';

/** Starts `sluice run` with the same options. Resolves when the server is ready. Rejects if the process exits earlier. */
export function start(options: RunOptions): Promise<number> {
  const stdin = options.config === '-' ? 'inherit' : 'ignore';
  const child = spawn(process.execPath, [...programArguments(), 'run', ...argumentsOf(options)], {
    detached: true,
    stdio: [stdin, 'ignore', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new CommandError(`cannot start the server: ${error.message}`, error)));
    child.once('exit', (code, signal) =>
      reject(new CommandError(`the server exited immediately (${signal ?? `exit code ${code}`})`)),
    );
    child.once('message', () => {
      process.stdout.write(`Successfully started sluice (pid=${child.pid}): it runs in the background\n`);
      child.removeAllListeners('exit');
      child.disconnect();
      child.unref();
      resolve(0);
    });
  });
}

function argumentsOf(options: RunOptions): string[] {
  const text = (name: string, value: string | number | undefined): string[] =>
    value === undefined ? [] : [`--${name}`, String(value)];
  const flag = (name: string, value: boolean | undefined): string[] => (value === true ? [`--${name}`] : []);
  return [
    ...text('config', options.config),
    ...text('adapter', options.adapter),
    ...text('workers', options.workers),
    ...text('pidfile', options.pidfile),
    ...flag('resume', options.resume),
    ...flag('watch', options.watch),
    ...(options.module ?? []).flatMap((name) => ['--module', name]),
    ...(options.envfile ?? []).flatMap((file) => ['--envfile', file]),
  ];
}
