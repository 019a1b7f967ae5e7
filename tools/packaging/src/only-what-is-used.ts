/** Tree shaking of our sources, and replacements of some files in a bundle. */
import { dirname, resolve } from 'node:path';
import type { Plugin } from 'rolldown';

/** Files with side effects. All other sources only define something. */
export const does: RegExp =
  /\/apps\/server\/src\/(?:main|worker|workers\/(?:adapting|shadow|tests|traffic)-thread)\.ts$/;

/** Reports whether a file belongs to the workspace, not to a library. */
export function isOurs(file: string): boolean {
  return /\/src\/.*\.ts$/.test(file) && !file.includes('/node_modules/');
}

/**
 * Declares that importing a file for one export does not require the other exports. An `index.ts` exports everything in
 * a package, and each role of the server uses a part of it.
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
