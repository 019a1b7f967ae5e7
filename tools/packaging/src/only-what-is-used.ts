/** Configures tree shaking of our sources, and replaces some files in a bundle. */
import { dirname, resolve } from 'node:path';
import type { Plugin } from 'rolldown';

/** Pattern for files with side effects. All other sources contain only definitions. */
export const does: RegExp =
  /\/apps\/server\/src\/(?:main|worker|workers\/(?:adapting|shadow|tests|traffic)-thread)\.ts$/;

/** Reports whether a file belongs to the workspace and not to a library. */
export function isOurs(file: string): boolean {
  return /\/src\/.*\.ts$/.test(file) && !file.includes('/node_modules/');
}

/**
 * Declares that most of our sources have no side effects, so that the bundler can remove unused exports. An `index.ts` exports everything
 * in a package, but each role of the server uses only a part of it.
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
