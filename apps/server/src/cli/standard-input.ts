import { fstatSync, readFileSync } from 'node:fs';

const standardInput = 0;

/** Reads standard input to its end. Returns an empty string for terminals and /dev/null, so that commands don't wait for input. */
export function readPiped(): string {
  return fstatSync(standardInput).isCharacterDevice() ? '' : readFileSync(standardInput, 'utf8');
}
