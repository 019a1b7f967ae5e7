/**
 * A relay between a browser and the admin endpoint. It repeats stream messages, so the page receives an hour of messages within a few
 * minutes.
 */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Relay {
  readonly origin: string;
  /** Number of forwarded messages. */
  messages(): number;
  stop(): Promise<void>;
}

/** Starts a relay in front of an admin endpoint. `speed` is the number of times that each message is sent before the next message. */
export async function startRelay(target: string, speed: number): Promise<Relay> {
  let messages = 0;
  const count = (): void => void messages++;
  const server = createServer((incoming, outgoing) => pass(incoming, outgoing, { target, speed, count }));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    messages: () => messages,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

interface Passing {
  readonly target: string;
  readonly speed: number;
  readonly count: () => void;
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse, { target, speed, count }: Passing): void {
  const headers = { ...incoming.headers, host: new URL(target).host };
  if (incoming.headers.origin !== undefined) headers.origin = target;
  const { method = 'GET', url = '/' } = incoming;
  const onward = request(target + url, { method, headers, agent: false }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    if (response.headers['content-type']?.startsWith('text/event-stream') === true)
      repeat(response, outgoing, { speed, count });
    else response.pipe(outgoing);
  });
  onward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}

/** Forwards the stream messages. Messages sent once per second are repeated in between, each with a unique ID. */
function repeat(from: IncomingMessage, to: ServerResponse, { speed, count }: Omit<Passing, 'target'>): void {
  let rest = '';
  let last = '';
  let reported = 0;
  const report = (message: string): void => {
    if (to.writableNeedDrain) return;
    to.write(`${message}\n\n`);
    count();
  };
  const timer =
    speed === 1
      ? undefined
      : setInterval(() => {
          if (last !== '') report(later(last, ++reported));
        }, 1000 / speed);
  from.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      if (!part.startsWith('event: stats')) last = part;
      report(part);
    }
  });
  from.on('close', () => clearInterval(timer)).on('end', () => to.end());
}

/** Returns a copy of the message with a new time and ID. */
function later(message: string, reported: number): string {
  return message
    .replace(/"at":"([^"]+)"/, (_, at: string) => `"at":"${new Date(Date.parse(at) + 1000 * reported).toISOString()}"`)
    .replace(/"id":"([^"]+)"/, (_, id: string) => `"id":"${id}-${reported}"`);
}
