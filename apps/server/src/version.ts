/** Version of the server. All packages are released together with the same version. */
import { packageFile } from './installation.ts';

export const version: string = (JSON.parse(packageFile('package.json').toString()) as { version: string }).version;

/** Build information, from git tags and commits. Only packaged releases have it. */
interface Build {
  /**
   * Version such as `0.2.0` for a tagged commit. Otherwise, the version also contains the number of commits since the tag, and the commit
   * hash: `0.2.0+14.g4f3c2a1b`.
   */
  readonly version: string;
  readonly commit: string;
  readonly date: string;
}

/** Returns the build information of this installation, or `null` if the installation was not packaged. */
export function findBuild(): Build | null {
  const text = optionalFile('build.json');
  return text === null ? null : (JSON.parse(text) as Build);
}

/** Reads a file that exists only in packages. Returns `null` if it is missing. */
export function optionalFile(name: string): string | null {
  try {
    return packageFile(name).toString();
  } catch {
    return null;
  }
}
