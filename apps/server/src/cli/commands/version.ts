/** `sluice version`. */
import { findBuild, version } from '../../version.ts';

/** Prints the version. Between releases, the version consists of the last release, the number of commits since then, and the commit. */
export function printVersion(): number {
  process.stdout.write(`v${findBuild()?.version ?? version}\n`);
  return 0;
}
