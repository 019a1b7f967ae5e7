/** Finds the file of a pino transport. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { configDirectory } from '@sluice/base';

/**
 * Returns the absolute path of a pino transport, which is resolved in the same way as third-party modules. Returns `pino/file` unchanged,
 * and `null` if the transport does not exist.
 */
export function resolveTarget(target: string): string | null {
  if (target === 'pino/file') return target;
  const configuration = configDirectory();
  for (const folder of [process.cwd(), configuration, join(configuration, 'modules')]) {
    try {
      return createRequire(join(folder, 'package.json')).resolve(target);
    } catch {
      // The transport was not found here, so try the next location.
    }
  }
  return null;
}
