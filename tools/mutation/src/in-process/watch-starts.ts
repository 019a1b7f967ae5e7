/** Detects when tests start threads or processes. */
import childProcess from 'node:child_process';
import { channel } from 'node:diagnostics_channel';
import { syncBuiltinESMExports } from 'node:module';

export function watchStarts(onStart: () => void): void {
  const noticed =
    <A extends unknown[], R>(start: (...values: A) => R) =>
    (...values: A): R => {
      onStart();
      return start(...values);
    };
  process.on('worker', onStart);
  channel('child_process').subscribe(onStart);
  // The diagnostics channel does not report synchronous child processes, so these functions are wrapped.
  const { execFileSync, execSync, spawnSync } = childProcess;
  Object.assign(childProcess, {
    execFileSync: noticed(execFileSync),
    execSync: noticed(execSync),
    spawnSync: noticed(spawnSync),
  });
  syncBuiltinESMExports();
}
