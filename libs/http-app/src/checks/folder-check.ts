/** Warns about modules that serve files from a directory that does not exist. */
import { stat } from 'node:fs/promises';
import { compileTemplate, isObject, own, resolveGlobal } from '@sluice/base';
import type { CheckedModule, Warn } from '@sluice/registry';

/** Warns if an option names a directory that does not exist. Skips values that contain request placeholders. */
export async function checkFolder({ node }: CheckedModule, key: string, warn: Warn): Promise<void> {
  const value = isObject(node) ? own(node, key) : undefined;
  if (typeof value !== 'string' || value === '' || (isObject(node) && own(node, 'fs'))) return;
  const folder = compileTemplate<null>(value, resolveGlobal, 'keep').expand(null);
  if (/\{[^{}]*\}/.test(folder)) return;
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error)
    warn(
      `cannot read directory ${JSON.stringify(folder)} (${found.code}): create it, or configure a different one`,
      key,
    );
  else if (!found.isDirectory()) warn(`${JSON.stringify(folder)} is not a directory`, key);
}
