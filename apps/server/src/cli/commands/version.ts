/** `sluice version`. */
import { version } from '../../version.ts';

/** Prints the version. */
export function printVersion(): number {
  process.stdout.write(`v${version}\n`);
  return 0;
}
