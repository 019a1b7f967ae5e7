/** `sluice version`. */
import { findBuild, version } from '../../version.ts';

/** Prints the version. Between releases, it consists of the last release, the number of commits since then, and the commit hash. */
export function printVersion(): number {
  process.stdout.write(`v${findBuild()?.version ?? version}\n`);
  return 0;
}
