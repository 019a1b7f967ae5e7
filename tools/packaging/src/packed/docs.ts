/** Runs the docs generator with the installed packages. */
import { spawnSync } from 'node:child_process';
import { workspaceRoot } from '../workspace.ts';
import { environmentOfPacked } from './run-tests.ts';

/** Returns the differences between the generated docs and those in the workspace, as `npm test` does for the sources. */
export function docsOf(prefix: string): string[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/nx-plugin/docs.mjs'], {
    cwd: workspaceRoot,
    env: environmentOfPacked(prefix, workspaceRoot),
    encoding: 'utf8',
  });
  return status === 0 ? [] : [`${stdout}${stderr}`.trim()];
}
