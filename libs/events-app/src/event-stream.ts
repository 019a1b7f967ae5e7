/** Event stream for one client (server-sent events, HTML §9.2). */
import { cloudEvent, type EventHub, type ServerEvent } from '@sluice/telemetry';
import { guarded, taskOf } from '@sluice/base';

/** Event filter. Empty lists select all events. */
export interface EventFilter {
  readonly names: readonly string[];
  /** Origins to include, together with all origins below them. */
  readonly origins: readonly string[];
}

/** Maximum number of events queued for a slow client. When the queue is full, the oldest events are dropped. */
const maxWaiting = 1000;

/** Interval at which an idle client receives a comment, in milliseconds. These comments let both sides detect a lost connection. */
const heartbeat = 15_000;

/** Yields the events of an event hub until the client disconnects or the server stops. */
export async function* eventStream(
  hub: EventHub,
  filter: EventFilter,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const waiting: ServerEvent[] = [];
  let dropped = 0;
  let wake: () => void = () => undefined;
  const unwatch = hub.watch((event) => {
    if (!wants(filter, event)) return;
    if (waiting.push(event) > maxWaiting) {
      waiting.shift();
      dropped++;
    }
    wake();
  });
  const timer = setInterval(
    guarded(taskOf('events'), () => wake()),
    heartbeat,
  );
  const end = (): void => wake();
  signal.addEventListener('abort', end);
  const unclose = hub.onClose(end);
  try {
    yield ': events of the server\n\n';
    while (!signal.aborted && (!hub.closed || waiting.length > 0)) {
      const event = waiting.shift();
      if (event !== undefined) {
        if (dropped > 0) yield `: ${dropped} events were dropped because this client reads too slowly\n\n`;
        dropped = 0;
        yield written(event);
        continue;
      }
      const before = performance.now();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (waiting.length === 0 && performance.now() - before > heartbeat / 2) yield ':\n\n';
    }
  } finally {
    unwatch();
    unclose();
    clearInterval(timer);
    signal.removeEventListener('abort', end);
  }
}

function written(event: ServerEvent): string {
  return `id: ${event.id}\nevent: ${oneLine(event.name)}\ndata: ${JSON.stringify(cloudEvent(event))}\n\n`;
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]/g, ' ');
}

function wants({ names, origins }: EventFilter, { name, origin }: ServerEvent): boolean {
  if (names.length > 0 && !names.includes(name)) return false;
  return origins.length === 0 || origins.some((each) => origin === each || origin.startsWith(`${each}.`));
}
