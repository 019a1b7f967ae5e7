/** What is piped to a command. */
import { fstatSync, readFileSync } from 'node:fs';

const standardInput = 0;

/** All of standard input; empty on a terminal and for /dev/null, so that a command does not wait for someone to type. */
export function readPiped(): string {
  return fstatSync(standardInput).isCharacterDevice() ? '' : readFileSync(standardInput, 'utf8');
}
