/** An output over a file descriptor of the process that it does not own. */
import { writeSync } from 'node:fs';
import type { LogOutput } from '@sluice/registry';

/** Writes at once, so that the last line before a crash is not lost; a full or closed pipe never stops the server. */
export function descriptorOutput(descriptor: number): LogOutput {
  return {
    write: (line) => {
      try {
        writeSync(descriptor, line);
      } catch {
        // Nobody reads it.
      }
    },
    close: () => undefined,
  };
}
