/** Client for server-sent events that uses `fetch`, because an `EventSource` cannot send a token. */
import type { Call } from './calls.ts';
import { open, reasonOf, Refused } from './client.ts';

export interface StreamEvent {
  readonly name: string;
  readonly data: unknown;
}

/** Callbacks for an event stream. */
export interface Listener {
  readonly onEvent: (event: StreamEvent) => void;
  /** Called with `null` when connected, and with the reason when disconnected. The client reconnects automatically. */
  readonly onState?: (problem: string | null) => void;
}

const maxPause = 15_000;

/** Subscribes to an event stream. Call the returned function to unsubscribe. */
export function listen(call: Call, { onEvent, onState }: Listener): () => void {
  const abort = new AbortController();
  void (async () => {
    for (let pause = 1000; !abort.signal.aborted; pause = Math.min(2 * pause, maxPause)) {
      try {
        const response = await open(call, abort.signal);
        if (!response.ok) throw new Refused(`the server responded with ${response.status}`, response.status);
        onState?.(null);
        pause = 1000;
        await read(response, onEvent);
        onState?.('Connection closed. Reconnecting…');
      } catch (error) {
        if (abort.signal.aborted) return;
        onState?.(reasonOf(error));
        // Don't reconnect, because the request would fail with the same client error.
        if (error instanceof Refused && error.status >= 400 && error.status < 500) return;
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  })();
  return () => abort.abort();
}

async function read(response: Response, onEvent: Listener['onEvent']): Promise<void> {
  const reader = (response.body ?? new Blob().stream()).getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const event = parseEvent(part);
      if (event !== null) onEvent(event);
    }
  }
}

function parseEvent(text: string): StreamEvent | null {
  let name = 'message';
  const data: string[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('event:')) name = line.slice(6).trim();
    else if (line.startsWith('data:')) data.push(line.slice(5));
  }
  if (data.length === 0) return null;
  try {
    return { name, data: JSON.parse(data.join('\n')) as unknown };
  } catch {
    return null;
  }
}
