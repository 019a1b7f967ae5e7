/** Compiles packages that are not dependencies of the server, such as examples. `nx test server` builds the dependencies. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { promisify } from 'node:util';

const workspace = fileURLToPath(new URL('../../../../', import.meta.url));

/** Builds packages and their TypeScript references if they are outdated. */
export async function compile(...folders: readonly string[]): Promise<void> {
  const compiler = join(workspace, 'node_modules/typescript/bin/tsc');
  const projects = folders.map((folder) => join(workspace, folder, 'tsconfig.lib.json'));
  await promisify(execFile)(process.execPath, [compiler, '-b', ...projects], { cwd: workspace });
}
