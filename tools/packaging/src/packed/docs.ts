/** Generates the docs of the workspace from the installed packages. */
import { spawnSync } from 'node:child_process';
import { workspaceRoot } from '../workspace.ts';
import { environmentOfPacked } from './run-tests.ts';

/** Returns the differences from the docs of the workspace, like `npm test` for the sources. */
export function docsOf(prefix: string): string[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/nx-plugin/docs.mjs'], {
    cwd: workspaceRoot,
    env: environmentOfPacked(prefix, workspaceRoot),
    encoding: 'utf8',
  });
  return status === 0 ? [] : [`${stdout}${stderr}`.trim()];
}
