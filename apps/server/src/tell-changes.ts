/** Events of the configuration. */
import { messageOf } from '@sluice/base';
import type { Engine } from '@sluice/engine';
import type { EventHub } from '@sluice/telemetry';

/** Where they come from. */
const origin = 'config';

/** Emits `config_changed` for each change that is in force, and `config_refused` for each that could not be. */
export function tellChanges(engine: Engine, events: EventHub): void {
  engine.onApplied(({ revision, origin: by, operations }) => {
    void events.emit(origin, 'config_changed', {
      revision,
      by,
      paths: operations.slice(0, 100).map(({ path }) => path),
    });
  });
  engine.onRefused((error) => void events.emit(origin, 'config_refused', { error: messageOf(error) }));
}
