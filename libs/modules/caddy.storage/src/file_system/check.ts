/** Configuration check for `caddy.storage.file_system`: reports a directory that is not writable. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { dataDirectory, isObject, own } from '@sluice/base';
import { defineCheck } from '@sluice/registry';
import { codeOf } from './file-facts.ts';

/**
 * This check reports the problem early. Otherwise, it would be detected only when certificates are obtained, long after the configuration
 * is loaded.
 */
export const writableCheck = defineCheck({
  name: 'storage-not-writable',
  help: 'Certificates and keys cannot be saved if the storage is not writable.',
  modules: ['caddy.storage.file_system'],
  check: async ({ node }, warn) => {
    const root = isObject(node) ? own(node, 'root') : undefined;
    const folder = resolve(typeof root === 'string' && root !== '' ? root : dataDirectory());
    const problem = await problemOf(folder);
    if (problem === null) return;
    warn(
      `${folder} is not writable: ${problem}; grant the server's user write access, or configure another directory`,
      'root',
    );
  },
});

/** Returns the reason that a directory cannot be created or written to, or `null` if there is no problem. */
async function problemOf(folder: string): Promise<string | null> {
  let nearest = folder;
  for (;;) {
    try {
      if (!(await stat(nearest)).isDirectory()) return `${nearest} is not a directory`;
      await access(nearest, constants.W_OK | constants.X_OK);
      return null;
    } catch (error) {
      const isMissing = codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
      if (!isMissing || nearest === dirname(nearest)) return `${nearest} is not writable (${codeOf(error)})`;
      nearest = dirname(nearest);
    }
  }
}
