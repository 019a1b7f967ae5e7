/**
 * Where what belongs to this server is, as it is compiled file by file. A bundle has `installation-bundle.ts` in the place
 * of this file. Both stand beside the entries, since all files of a bundle lie in one folder.
 */
import { fileURLToPath } from 'node:url';

/** The folder of package.json and of the files that ship with the server. */
export const packageFolder: string = fileURLToPath(new URL('../', import.meta.url));

/** The code of a traffic thread: TypeScript in the sources and JavaScript when built. */
export const workerCode: URL = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js',
  import.meta.url,
);

/** Where a package of ours is that is not installed beside the server but part of it; `null` if it is not. */
export function partOfServer(_specifier: string): string | null {
  return null;
}
