/** Which version this is. Everything of ours is released together and has the same version. */
import { packageFile } from './installation.ts';

/** The version in the server's package.json. */
export const version: string = (JSON.parse(packageFile('package.json').toString()) as { version: string }).version;

/** A build by the tags and commits of git; only packages of releases have one. */
interface Build {
  /** `0.2.0` for a tagged commit, else with the commits since: `0.2.0+14.g4f3c2a1b`. */
  readonly version: string;
  readonly commit: string;
  readonly date: string;
}

/** Returns the build of this installation, or `null` if it was not packaged. */
export function findBuild(): Build | null {
  const text = optionalFile('build.json');
  return text === null ? null : (JSON.parse(text) as Build);
}

/** Returns the text of a file that only packages have, or `null`. */
export function optionalFile(name: string): string | null {
  try {
    return packageFile(name).toString();
  } catch {
    return null;
  }
}
