/** Location of the workspace and its files. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Absolute path of the workspace directory. */
export const workspaceRoot: string = fileURLToPath(new URL('../../../', import.meta.url)).replace(/[\\/]$/, '');

export function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8')) as unknown;
}
