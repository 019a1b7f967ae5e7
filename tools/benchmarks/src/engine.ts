/**
 * Measures the HTTP/1.1 engine without the rest of the server. Contestants serve hello world: the engine, node:http, and raw sockets that
 * write constant text. Raw sockets are the upper bound for Node.js. Rounds are interleaved. Reports ratios of requests per second and of
 * CPU time per request. CPU time is more reliable on a busy machine.
 *   node --conditions=@sluice/source tools/benchmarks/src/engine.ts [ROUNDS] [SECONDS]
 */
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Listener, paceRule, type ServerHandle } from '@sluice/http-app';
import { silentLogger } from '@sluice/base';
import { load } from './load.ts';
import { freePort } from '@sluice/testing/machine';
import { start, stop } from './machine.ts';
import { processorTime } from './processes.ts';
import { median } from './statistics.ts';

const text = 'Hello, world!';
const host = '127.0.0.1';
const noNames = {
  size: 0,
  has: () => false,
  sift: () => undefined,
} as unknown as ServerHandle['limits']['keptHeaders'];

/** Functions that serve hello world, keyed by contestant. Each contestant runs in a separate process. */
const contestants: Record<string, (port: number) => Promise<void> | void> = {
  async engine(port) {
    const listener = await Listener.open({
      address: { network: 'tcp', host, startPort: port, endPort: port, mode: null },
      reusePort: false,
      log: silentLogger,
    });
    listener.target = hello as ServerHandle;
  },
  'node:http'(port) {
    createHttpServer((_request, response) => {
      response.setHeader('Content-Type', 'text/plain; charset=utf-8');
      response.setHeader('Content-Length', text.length);
      response.end(text);
    }).listen(port, host);
  },
  'bare sockets'(port) {
    const response = `HTTP/1.1 200 OK\r\nServer: x\r\nContent-Type: text/plain; charset=utf-8\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 13\r\n\r\n${text}`;
    createServer({ noDelay: true }, (socket) => {
      socket.on('error', () => socket.destroy());
      socket.on('data', (chunk: Buffer) => {
        if (chunk.at(-1) === 10) socket.write(response, 'latin1');
      });
    }).listen(port, host);
  },
};

const hello: Partial<ServerHandle> = {
  name: 'hello',
  protocols: ['h1'],
  shutdownAt: 0,
  limits: {
    readTimeout: 0,
    readHeaderTimeout: 60_000,
    writeTimeout: 0,
    idleTimeout: 300_000,
    maxHeaderBytes: 20_480,
    readPace: paceRule(60_000),
    writePace: paceRule(60_000),
    keepAliveInterval: 15_000,
    fullDuplex: false,
    keptHeaders: noNames,
  },
  handle({ response }) {
    response.headers.set('content-type', 'text/plain; charset=utf-8');
    response.end(text);
  },
};

interface Measurements {
  readonly rates: number[];
  /** CPU time per request, in microseconds. */
  readonly costs: number[];
}

async function compare(rounds: number, seconds: number): Promise<void> {
  const running = new Map<string, { port: number; child: ReturnType<typeof start>; measurements: Measurements }>();
  const self = fileURLToPath(import.meta.url);
  for (const name of Object.keys(contestants)) {
    const port = await freePort();
    const child = start(0, [process.execPath, '--conditions=@sluice/source', self, 'serve', name, String(port)]);
    running.set(name, { port, child, measurements: { rates: [], costs: [] } });
  }
  for (const { port } of running.values()) while (!(await accepts(port))) await sleep(20);
  try {
    for (let round = 0; round < rounds; round++) {
      for (const { port, child, measurements } of running.values()) {
        const before = processorTime(child.pid ?? 0);
        const { requestsPerSecond } = await load(`http://${host}:${port}/`, { seconds });
        measurements.rates.push(requestsPerSecond);
        measurements.costs.push((processorTime(child.pid ?? 0) - before) / (requestsPerSecond * seconds));
      }
    }
  } finally {
    for (const { child } of running.values()) await stop(child);
  }
  const base = running.get('node:http')?.measurements ?? { rates: [], costs: [] };
  for (const [name, { measurements }] of running) {
    const rate = median(measurements.rates);
    const cost = median(measurements.costs);
    console.log(
      `${name}: ${Math.round(rate)}/s, ${cost.toFixed(2)} us of CPU time per request;` +
        ` ratio to node:http ${(rate / median(base.rates)).toFixed(2)} by rate, ${(median(base.costs) / cost).toFixed(2)} by CPU time`,
    );
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

const [mode, name = '', port = '0'] = process.argv.slice(2);
if (mode === 'serve') await contestants[name]?.(Number(port));
else await compare(Number(mode ?? 3), Number(process.argv[3] ?? 3));
