/**
 * Removes the diagnostics of the npm package `router` from a bundle: `debug` writes only if DEBUG is set, and `depd` warns only about
 * handlers that return promises of another library. Their code would be loaded by every server with an admin endpoint.
 */
import type { Plugin } from 'rolldown';

const silent = '\0silent';

export function quietRouter(): Plugin {
  return {
    name: 'quiet router',
    resolveId: {
      filter: { id: /^(?:debug|depd)$/ },
      handler: (_id, importer) => (importer?.includes('/node_modules/router/') === true ? silent : null),
    },
    load: {
      filter: { id: /^\0silent$/ },
      handler: () => ({ code: 'module.exports = () => () => {};', moduleType: 'js' }),
    },
  };
}
