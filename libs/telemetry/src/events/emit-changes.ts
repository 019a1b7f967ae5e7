/** Events of the configuration. */
import { messageOf } from '@sluice/base';
import { declareEvent, type RunningServer } from '@sluice/registry';
import { eventHubToken } from './hub.ts';

/** A change is in force. */
export const configChanged = declareEvent({
  origin: 'config',
  name: 'config_changed',
  help: 'A configuration change took effect.',
  data: {
    revision: 'Number of the change in the history.',
    by: 'Where it came from: a client of the admin API, a file, a signal.',
    paths: 'What it changed in the configuration, as JSON pointers, 100 at most.',
  },
});

/** A change could not come into force. */
export const configRefused = declareEvent({
  origin: 'config',
  name: 'config_refused',
  help: 'A configuration change was rejected; the previous configuration stays in effect.',
  data: { error: 'Why.' },
});

/** Emits one of them for each change. Taps `Registry.hooks.server`. */
export function emitChanges(server: RunningServer): void {
  const events = server.service(eventHubToken);
  if (events === undefined) return;
  server.hooks.committed.tap('events', ({ revision, origin: by, operations }) => {
    const paths = operations.slice(0, 100).map(({ path }) => path);
    void events.tell(configChanged, { revision, by, paths });
  });
  server.hooks.refused.tap('events', (error) => {
    void events.tell(configRefused, { error: messageOf(error) });
  });
}
