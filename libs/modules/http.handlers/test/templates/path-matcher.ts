import { httpMatchers } from '@sluice/http-app';
import { defineModule, listOptions, text, type Registry } from '@sluice/registry';

/** Registers a simplified `path` matcher, because the real one is in another package. It supports exact paths and `/prefix*`. */
export function registerPathMatcher(registry: Registry): void {
  registry.add(
    defineModule(httpMatchers, {
      name: 'path',
      help: 'Matches paths.',
      config: listOptions('Paths.', text()),
      provision: (paths) => ({
        match: (exchange) =>
          paths.some((path) =>
            path.endsWith('*') ? exchange.path.startsWith(path.slice(0, -1)) : exchange.path === path,
          ),
      }),
    }),
  );
}
