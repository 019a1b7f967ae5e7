/** Server events from `GET /events`. After a configuration change, the configuration is read again. */
import { signal } from '@preact/signals';
import { calls } from '../api/calls.ts';
import { listenTogether } from '../api/shared-stream.ts';
import { beginConfiguration, configurationChanged } from './configuration.ts';
import { readHistory } from './history.ts';

/** An event in CloudEvents format. */
export interface ServerEvent {
  readonly id: string;
  readonly type: string;
  readonly source: string;
  readonly time: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const keptEvents = 2000;

/** All events, in chronological order. */
export const events = signal<readonly ServerEvent[]>([]);

/** Reason why events are not received; `null` if they are. */
export const eventsProblem = signal<string | null>(null);

/** Number of configuration changes, for dependent views. */
export const configChanges = signal(0);

let waiting: ReturnType<typeof setTimeout> | null = null;

/** Subscribes and reads the configuration, until the returned function is called. */
export function followEvents(): () => void {
  let begins = true;
  beginConfiguration();
  return listenTogether(calls.events(), {
    onState: (problem) => {
      eventsProblem.value = problem;
      // Later events apply on top of the values read now.
      if (begins) readNow();
      // Changes were missed while disconnected.
      else if (problem === null) readSoon();
      begins = false;
    },
    onEvent: ({ data }) => {
      const event = data as ServerEvent;
      // After a reconnect, the server may repeat an event.
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
