/** Admin API endpoints `GET /debug/…`: metrics, and CPU profiles and heap snapshots of threads in V8's formats. */
import { createReadStream, type ReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { AdminRequest, AdminResponse, AdminRoutes, RunningServer } from '@sluice/registry';
import { SluiceError } from '@sluice/base';
import { threadBusToken, type ThreadBus } from '@sluice/threads';
import { threadHeap, threadProfile, threadVars } from './thread-debug.ts';

const defaultSeconds = 30;
const maxSeconds = 60;

const page = `<!doctype html>\n<title>/debug/pprof/</title>\n<h1>/debug/pprof/</h1>\n<p>Profiles of one thread in V8's formats; open them in the developer tools of a browser. Thread 0 is the control thread;\nworkers start at 1.</p>\n<ul>\n<li><a href="profile?seconds=10&amp;thread=0">profile?seconds=10&amp;thread=0</a>: CPU profile (.cpuprofile)</li>\n<li><a href="heap?thread=0">heap?thread=0</a>: heap snapshot (.heapsnapshot); blocks the thread meanwhile</li>\n<li><a href="../vars">/debug/vars</a>: event loops and heaps of all threads</li>\n</ul>\n`;

/** Adds the debug endpoints. Expensive operations run for only one client at a time. */
export function addDebugRoutes({ router, server, describe }: AdminRoutes): void {
  describe(async () => (await import('../admin-operations.ts')).operations);
  let busy = false;
  const alone = async <T>(take: () => Promise<T>): Promise<T> => {
    if (busy) throw refusal('another profile, heap snapshot or metrics request is in progress; retry later', 429);
    busy = true;
    try {
      return await take();
    } finally {
      busy = false;
    }
  };
  router.get('/debug/vars', async (_request, response) => {
    response.json(await alone(() => vars(busOf(server))));
  });
  router.get('/debug/pprof/profile', async (request, response) => {
    const body = { thread: numberIn(request, 'thread', 0, 1024), seconds: secondsOf(request) };
    const text = await alone(() => profile(busOf(server), body));
    attach(response, `thread-${body.thread}.cpuprofile`).end(text);
  });
  router.get('/debug/pprof/heap', async (request, response) => {
    const thread = numberIn(request, 'thread', 0, 1024);
    const stream = await alone(() => heap(busOf(server), thread));
    await pipeline(stream, attach(response, `thread-${thread}.heapsnapshot`));
  });
  router.get('/debug/pprof/{*rest}', (_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(page);
  });
}

async function vars(bus: ThreadBus): Promise<object> {
  const threads = await bus.gather(threadVars, null);
  const sorted = threads.toSorted((a, b) => a.thread - b.thread);
  return { pid: process.pid, node: process.version, memory: process.memoryUsage(), threads: sorted };
}

async function profile(bus: ThreadBus, body: { thread: number; seconds: number }): Promise<string> {
  const [text] = (await bus.gather(threadProfile, body)).filter((each) => each !== null);
  if (text === undefined) throw noThread(body.thread);
  return text;
}

async function heap(bus: ThreadBus, thread: number): Promise<ReadStream> {
  const [file] = (await bus.gather(threadHeap, { thread })).filter((each) => each !== null);
  if (file === undefined) throw noThread(thread);
  const stream = createReadStream(file);
  // Wait until the file is open, because an open file remains readable after it is unlinked.
  await new Promise((resolve, reject) => stream.once('open', resolve).once('error', reject));
  await rm(dirname(file), { recursive: true });
  return stream;
}

function attach(response: AdminResponse, name: string): AdminResponse {
  return response
    .setHeader('Content-Type', 'application/json')
    .setHeader('Content-Disposition', `attachment; filename="${name}"`);
}

function secondsOf(request: AdminRequest): number {
  return request.query['seconds'] === undefined ? defaultSeconds : numberIn(request, 'seconds', 1, maxSeconds);
}

function numberIn({ query }: AdminRequest, name: string, min: number, max: number): number {
  const [text = String(min)] = [query[name] ?? []].flat();
  const value = Number(text);
  if (text !== '' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw refusal(`${name} must be an integer from ${min} to ${max}, not ${JSON.stringify(text)}`, 400);
}

function busOf(server: RunningServer): ThreadBus {
  const bus = server.service(threadBusToken);
  if (bus === undefined) throw refusal('this server does not expose thread statistics', 404);
  return bus;
}

function noThread(thread: number): SluiceError {
  return refusal(`thread ${thread} does not exist; list threads with GET /debug/vars`, 404);
}

function refusal(message: string, status: number): SluiceError {
  return new SluiceError('ERR_DEBUG', message, { status });
}
