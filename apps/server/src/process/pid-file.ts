import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { messageOf, type Logger } from '@sluice/base';

/** Writes the process id to a file until the process exits. A failure is logged and does not stop the server. */
export function writePidFile(path: string, log: Logger): void {
  try {
    writeFileSync(path, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    log.error(`failed to write PID file: ${messageOf(error)}`, { file: path });
    return;
  }
  process.once('exit', () => removeOwn(path));
}

/** A successor process has already written its own PID. */
function removeOwn(path: string): void {
  try {
    if (readFileSync(path, 'utf8').trim() === String(process.pid)) rmSync(path);
  } catch {
    // The file was already removed.
  }
}
