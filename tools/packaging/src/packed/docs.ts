/** The docs of the workspace, made of what the installed packages say of themselves. */
import { spawnSync } from 'node:child_process';
import { workspaceRoot } from '../workspace.ts';
import { environmentOfPacked } from './run-tests.ts';

/** In what they differ from those of the workspace, as `npm test` says it of the sources. */
export function docsOf(prefix: string): string[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/nx-plugin/docs.mjs'], {
    cwd: workspaceRoot,
    env: environmentOfPacked(prefix, workspaceRoot),
    encoding: 'utf8',
  });
  return status === 0 ? [] : [`${stdout}${stderr}`.trim()];
}
