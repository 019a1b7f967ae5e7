/** Events of the configuration. */
import { messageOf } from '@sluice/base';
import type { RunningServer } from '@sluice/registry';
import { eventHubToken } from './hub.ts';

/** Where they come from. */
const origin = 'config';

/** Emits `config_changed` for each change that is in force, and `config_refused` for each that could not be. Taps `Registry.hooks.server`. */
export function emitChanges(server: RunningServer): void {
  const events = server.service(eventHubToken);
  if (events === undefined) return;
  server.hooks.committed.tap('events', ({ revision, origin: by, operations }) => {
    const paths = operations.slice(0, 100).map(({ path }) => path);
    void events.emit(origin, 'config_changed', { revision, by, paths });
  });
  server.hooks.refused.tap('events', (error) => {
    void events.emit(origin, 'config_refused', { error: messageOf(error) });
  });
}
