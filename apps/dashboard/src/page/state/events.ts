/** Server events from `GET /events`. After each configuration change, the configuration is reloaded. */
import { signal } from '@preact/signals';
import { calls } from '../api/calls.ts';
import { listenTogether } from '../api/shared-stream.ts';
import { beginConfiguration, configurationChanged } from './configuration.ts';
import { readHistory } from './history.ts';

/** Server event in CloudEvents format. */
export interface ServerEvent {
  readonly id: string;
  readonly type: string;
  readonly source: string;
  readonly time: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const keptEvents = 2000;

/** All received events, in chronological order. */
export const events = signal<readonly ServerEvent[]>([]);

/** Reason why events are not being received, or `null` if they are. */
export const eventsProblem = signal<string | null>(null);

/** Number of configuration changes since the page was loaded. Views that depend on it reload their data after each change. */
export const configChanges = signal(0);

let waiting: ReturnType<typeof setTimeout> | null = null;

/** Subscribes to events and reads the configuration. Stops when the returned function is called. */
export function followEvents(): () => void {
  let begins = true;
  beginConfiguration();
  return listenTogether(calls.events(), {
    onState: (problem) => {
      eventsProblem.value = problem;
      // Read the current values now. Later events then apply on top of these values.
      if (begins) readNow();
      // Read the configuration again after a reconnect, because changes may have been missed.
      else if (problem === null) readSoon();
      begins = false;
    },
    onEvent: ({ data }) => {
      const event = data as ServerEvent;
      // Ignore a repeated event, which the server may send after a reconnect.
      if (events.value.some(({ id }) => id === event.id)) return;
      events.value = [...events.value.slice(1 - keptEvents), event];
      if (event.type === 'config_changed') readSoon();
    },
  });
}

/** Reads the configuration, at most once per second. */
function readSoon(): void {
  waiting ??= setTimeout(() => {
    waiting = null;
    configChanges.value += 1;
    readNow();
  }, 1000);
}

function readNow(): void {
  configurationChanged();
  void readHistory();
}
