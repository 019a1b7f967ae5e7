import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { messageOf, type Logger } from '@sluice/base';

/** Writes the process ID to a file, and removes the file on exit. A failure is logged and does not stop the server. */
export function writePidFile(path: string, log: Logger): void {
  try {
    writeFileSync(path, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    log.error(`failed to write PID file: ${messageOf(error)}`, { file: path });
    return;
  }
  process.once('exit', () => removeOwn(path));
}

/** Removes the PID file, unless a successor process has already written its own ID. */
function removeOwn(path: string): void {
  try {
    if (readFileSync(path, 'utf8').trim() === String(process.pid)) rmSync(path);
  } catch {
    // Ignore the error, because the file was already removed.
  }
}
