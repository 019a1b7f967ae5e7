/** What happens in the server, as `GET /events` tells it. A change of the configuration is read when it is told of. */
import { signal } from '@preact/signals';
import { calls } from '../api/calls.ts';
import { listenTogether } from '../api/shared-stream.ts';
import { beginConfiguration, configurationChanged } from './configuration.ts';
import { readHistory } from './history.ts';

/** An event, in the form of CloudEvents. */
export interface ServerEvent {
  readonly id: string;
  readonly type: string;
  readonly source: string;
  readonly time: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** How many are kept. */
export const keptEvents = 2000;

/** The newest last. */
export const events = signal<readonly ServerEvent[]>([]);

/** Why the page is not told; `null` while it is. */
export const eventsProblem = signal<string | null>(null);

/** Counts changes of the configuration, for views that show what depends on it. */
export const configChanges = signal(0);

let waiting: ReturnType<typeof setTimeout> | null = null;

/** Listens, and reads the configuration as it is in the beginning. Called once for a token; gives what ends it. */
export function followEvents(): () => void {
  let begins = true;
  beginConfiguration();
  return listenTogether(calls.events(), {
    onState: (problem) => {
      eventsProblem.value = problem;
      // What is told of from now on comes on top of what is read now; where nothing will be told, it is read all the same.
      if (begins) readNow();
      // After a break, in which changes were not told of.
      else if (problem === null) readSoon();
      begins = false;
    },
    onEvent: ({ data }) => {
      const event = data as ServerEvent;
      // After a break the server may tell it once more.
      if (events.value.some(({ id }) => id === event.id)) return;
      events.value = [...events.value.slice(1 - keptEvents), event];
      if (event.type === 'config_changed') readSoon();
    },
  });
}

/** However many changes there are, the configuration is read at most once a second. */
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
