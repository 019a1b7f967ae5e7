import { fstatSync, readFileSync } from 'node:fs';

const standardInput = 0;

/**
 * Reads all of standard input. Returns an empty string on a terminal and for /dev/null, so that a command does not wait
 * for input.
 */
export function readPiped(): string {
  return fstatSync(standardInput).isCharacterDevice() ? '' : readFileSync(standardInput, 'utf8');
}
