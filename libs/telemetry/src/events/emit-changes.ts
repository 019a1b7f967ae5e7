/** Events for configuration changes. */
import { messageOf } from '@sluice/base';
import { declareEvent, type RunningServer } from '@sluice/registry';
import { eventHubToken } from './hub.ts';

export const configChanged = declareEvent({
  origin: 'config',
  name: 'config_changed',
  help: 'A configuration change took effect.',
  data: {
    revision: 'Revision number of the configuration change.',
    by: 'Source of the change, such as an admin API client, a file or a signal.',
    paths: 'Changed paths in the configuration, as JSON Pointers. Contains at most 100 paths.',
  },
});

export const configRefused = declareEvent({
  origin: 'config',
  name: 'config_refused',
  help: 'A configuration change was rejected. The previous configuration stays in effect.',
  data: { error: 'Reason why the change was rejected.' },
});

/** Emits an event for each configuration change. Called as a tap of `Registry.hooks.server`. */
export function emitChanges(server: RunningServer): void {
  const events = server.service(eventHubToken);
  if (events === undefined) return;
  server.hooks.committed.tap('events', ({ revision, origin: by, operations }) => {
    const paths = operations.slice(0, 100).map(({ path }) => path);
    void events.emitDeclared(configChanged, { revision, by, paths });
  });
  server.hooks.refused.tap('events', (error) => {
    void events.emitDeclared(configRefused, { error: messageOf(error) });
  });
}
