/** The file that says which process serves. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { messageOf, type Logger } from '@sluice/base';

/** Writes the number of this process, until it ends. Failing is logged, and no reason not to serve. */
export function writePidFile(path: string, log: Logger): void {
  try {
    writeFileSync(path, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    log.error(`cannot write the PID file: ${messageOf(error)}`, { file: path });
    return;
  }
  process.once('exit', () => removeOwn(path));
}

/** A process that has taken over has written its own number there. */
function removeOwn(path: string): void {
  try {
    if (readFileSync(path, 'utf8').trim() === String(process.pid)) rmSync(path);
  } catch {
    // It is gone already.
  }
}
