/** Sends requests and opens event streams and WebSockets with undici (fetch, HTTP/1.1 and HTTP/2) until the stop file exists. */
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, WebSocket, fetch } from 'undici';

const { PLAIN, SECURE, CA, STOP, LINES } = process.env;
const stream = Array.from({ length: Number(LINES) }, (_, i) => `${i}\n`).join('');
const long = 'x'.repeat(5000);
const counts = { requests: 0, streams: 0, websockets: 0 };
const errors = [];
const going = () => !existsSync(STOP);
const connect = { ca: readFileSync(CA) };

async function loop({ name, base, dispatcher }, { kind = 'requests', path, body = null, expected }) {
  while (going()) {
    try {
      const response = await fetch(base + path, body === null ? { dispatcher } : { dispatcher, method: 'POST', body });
      const text = await response.text();
      if (response.status !== 200 || text !== expected)
        throw new Error(`status ${response.status}, ${text.length} bytes`);
      counts[kind]++;
    } catch (error) {
      errors.push(`${name} ${path}: ${error.message} ${error.cause ?? ''}`);
    }
    await sleep(10);
  }
}

async function sockets(url, dispatcher) {
  while (going()) {
    const socket = new WebSocket(url, { dispatcher });
    const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
    let opened = false;
    socket.addEventListener('open', () => ((opened = true), socket.send('hello')));
    socket.addEventListener(
      'message',
      () => void sleep(100).then(() => socket.readyState === 1 && socket.send('hello')),
    );
    const end = await Promise.race([
      closed,
      (async () => {
        while (going()) await sleep(50);
        return null;
      })(),
    ]);
    if (end !== null && (!opened || end.code === 1006))
      errors.push(`undici WebSocket: ${opened ? 'no close frame' : 'not opened'}`);
    socket.close();
    counts.websockets++;
  }
}

const http1 = new Agent({ connect });
const http2 = new Agent({ connect, allowH2: true });
const ways = [
  { name: 'undici HTTP/1.1', base: PLAIN, dispatcher: http1 },
  { name: 'undici HTTPS/1.1', base: SECURE, dispatcher: http1 },
  { name: 'undici HTTP/2', base: SECURE, dispatcher: http2 },
];
const all = ways.flatMap((way) => [
  loop(way, { path: '/', expected: 'ok' }),
  loop(way, { path: '/proxied', expected: 'ok' }),
  loop(way, { path: '/echo', body: long, expected: long }),
  loop(way, { kind: 'streams', path: '/drip', expected: stream }),
]);
await Promise.all([
  ...all,
  sockets(`${PLAIN.replace('http', 'ws')}/ws`, http1),
  sockets(`${SECURE.replace('http', 'ws')}/ws`, http1),
]);
process.stdout.write(`${JSON.stringify({ ...counts, errors })}\n`, () => process.exit(0));
