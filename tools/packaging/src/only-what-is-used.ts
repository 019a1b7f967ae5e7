/** What of our sources goes into a bundle, and where files of ours have another form in it. */
import { dirname, resolve } from 'node:path';
import type { Plugin } from 'rolldown';

/** Files that do something when they are loaded; all others of ours only define something. */
export const does: RegExp = /\/apps\/server\/src\/(?:main|worker|workers\/(?:adapting|traffic)-thread)\.ts$/;

/** Whether a file is one of the workspace, not of a library. */
export function isOurs(file: string): boolean {
  return /\/src\/.*\.ts$/.test(file) && !file.includes('/node_modules/');
}

/**
 * Says that a file of ours which is imported for one of its exports need not be loaded for the others: an `index.ts` names
 * everything that a package has, and each role of the server uses a part of it.
 */
export function onlyWhatIsUsed(): Plugin {
  return {
    name: 'only what is used',
    resolveId: {
      filter: { id: /\/installation\.ts$/ },
      handler: (id, importer) => resolve(dirname(importer ?? ''), id).replace(/\.ts$/, '-bundle.ts'),
    },
    transform: {
      filter: { id: /\/src\/.*\.ts$/ },
      handler: (_code, id) => (isOurs(id) ? { moduleSideEffects: does.test(id) } : null),
    },
  };
}
