/** Bundles libraries that sources load synchronously with `require`. */
import type { Plugin } from 'rolldown';
import { isOurs } from './only-what-is-used.ts';

export const required: readonly string[] = ['ajv', 're2js'];

const call = /\brequire\('([\w@/.-]+)'\)/g;

/** Returns a plugin that creates a file for each library, with the exports that `require` returns. */
export function requiredLibraries(): Plugin {
  return {
    name: 'required libraries',
    resolveId: { filter: { id: /^required:/ }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: /^\0required:/ },
      handler: (id) =>
        `import * as library from '${id.slice('\0required:'.length)}'; export { library as 'module.exports' };`,
    },
    transform: {
      filter: { id: /\/src\/.*\.ts$/, code: /\brequire\('/ },
      handler: (code, id) =>
        isOurs(id)
          ? {
              code: code.replaceAll(call, (text, name: string) =>
                required.includes(name) ? `require('./${name}.js')` : text,
              ),
            }
          : null,
    },
  };
}
