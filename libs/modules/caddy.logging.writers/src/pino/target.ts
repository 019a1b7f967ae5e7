/** Finds the code of a transport. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { configDirectory } from '@sluice/base';

/** Absolute path of a transport's file, looked for where third-party modules are; `pino/file` as it is; `null` if there is none. */
export function resolveTarget(target: string): string | null {
  if (target === 'pino/file') return target;
  const configuration = configDirectory();
  for (const folder of [process.cwd(), configuration, join(configuration, 'modules')]) {
    try {
      return createRequire(join(folder, 'package.json')).resolve(target);
    } catch {
      // Not from here: the next one, or none.
    }
  }
  return null;
}
