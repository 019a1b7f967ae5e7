/** Resolves the file of a transport. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { configDirectory } from '@sluice/base';

/** Returns the absolute path of a transport, resolved like third-party modules; `pino/file` is returned unchanged. Returns `null` if none exists. */
export function resolveTarget(target: string): string | null {
  if (target === 'pino/file') return target;
  const configuration = configDirectory();
  for (const folder of [process.cwd(), configuration, join(configuration, 'modules')]) {
    try {
      return createRequire(join(folder, 'package.json')).resolve(target);
    } catch {
      // Not found here, so try the next location.
    }
  }
  return null;
}
