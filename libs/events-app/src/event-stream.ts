/** Events as they happen, for one client (server-sent events, HTML §9.2). */
import { cloudEvent, type EventHub, type ServerEvent } from '@sluice/telemetry';
import { guarded, taskOf } from '@sluice/base';

/** What a client wants to see; nothing named: everything. */
export interface EventFilter {
  readonly names: readonly string[];
  /** Origins; one covers those below it. */
  readonly origins: readonly string[];
}

/** Events that wait for a slow client; the oldest are dropped beyond that. */
const maxWaiting = 1000;

/** A client that hears nothing for so long, in milliseconds, gets a comment, so that both sides notice a dead line. */
const heartbeat = 15_000;

/** Writes the events of a hub, until the client goes away or the server stops. */
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
