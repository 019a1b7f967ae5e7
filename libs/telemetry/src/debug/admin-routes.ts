/** `GET /debug/…` of the admin API: metrics, profiles and heaps of the threads, in the formats of V8. */
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AdminRequest, AdminResponse, AdminRoutes, RunningServer } from '@sluice/registry';
import { SluiceError } from '@sluice/base';
import { threadBusToken, type ThreadBus } from '@sluice/threads';
import { threadHeap, threadProfile, threadVars } from './thread-debug.ts';

const defaultSeconds = 30;
const maxSeconds = 60;

const page = `<!doctype html>
<title>/debug/pprof/</title>
<h1>/debug/pprof/</h1>
<p>Of one thread, in the formats of V8: open them in the developer tools of a browser. Thread 0 is the control thread;
workers count from 1.</p>
<ul>
<li><a href="profile?seconds=10&amp;thread=0">profile?seconds=10&amp;thread=0</a>: where processor time goes (.cpuprofile)</li>
<li><a href="heap?thread=0">heap?thread=0</a>: what is in memory (.heapsnapshot); the thread stands still meanwhile</li>
<li><a href="../vars">/debug/vars</a>: event loops and heaps of all threads</li>
</ul>
`;

/** Adds the routes. What takes long or much is done for one client at a time. */
export function addDebugRoutes(routes: AdminRoutes): void {
  let busy = false;
  const alone = async (make: () => Promise<AdminResponse>): Promise<AdminResponse> => {
    if (busy) throw refusal('a profile, a heap or metrics are being taken already; try again later', 429);
    busy = true;
    try {
      return await make();
    } finally {
      busy = false;
    }
  };
  routes.add({
    method: 'GET',
    path: '/debug/pprof/',
    handle: () => ({ headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: page }),
  });
  routes.add({
    method: 'GET',
    path: '/debug/vars',
    handle: (_, server) => alone(() => vars(busOf(server))),
  });
  routes.add({
    method: 'GET',
    path: '/debug/pprof/profile',
    handle: (request, server) => {
      const body = { thread: numberIn(request, 'thread', 0, 1024), seconds: secondsOf(request) };
      return alone(() => profile(busOf(server), body));
    },
  });
  routes.add({
    method: 'GET',
    path: '/debug/pprof/heap',
    handle: (request, server) => {
      const thread = numberIn(request, 'thread', 0, 1024);
      return alone(() => heap(busOf(server), thread));
    },
  });
}

async function vars(bus: ThreadBus): Promise<AdminResponse> {
  const threads = await bus.gather(threadVars, null);
  const sorted = threads.toSorted((a, b) => a.thread - b.thread);
  return { json: { pid: process.pid, node: process.version, memory: process.memoryUsage(), threads: sorted } };
}

async function profile(bus: ThreadBus, body: { thread: number; seconds: number }): Promise<AdminResponse> {
  const [text] = (await bus.gather(threadProfile, body)).filter((each) => each !== null);
  if (text === undefined) throw noThread(body.thread);
  return attachment(`thread-${body.thread}.cpuprofile`, text);
}

async function heap(bus: ThreadBus, thread: number): Promise<AdminResponse> {
  const [file] = (await bus.gather(threadHeap, { thread })).filter((each) => each !== null);
  if (file === undefined) throw noThread(thread);
  const stream = createReadStream(file);
  // The open file stays readable when its name is gone.
  await new Promise((resolve, reject) => stream.once('open', resolve).once('error', reject));
  await rm(dirname(file), { recursive: true });
  return attachment(`thread-${thread}.heapsnapshot`, stream);
}

function attachment(name: string, body: string | AsyncIterable<Buffer>): AdminResponse {
  const headers = { 'Content-Type': 'application/json', 'Content-Disposition': `attachment; filename="${name}"` };
  return { headers, body };
}

function secondsOf(request: AdminRequest): number {
  return request.query.has('seconds') ? numberIn(request, 'seconds', 1, maxSeconds) : defaultSeconds;
}

function numberIn({ query }: AdminRequest, name: string, least: number, most: number): number {
  const text = query.get(name) ?? String(least);
  const value = Number(text);
  if (text !== '' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw refusal(`${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`, 400);
}

function busOf(server: RunningServer): ThreadBus {
  const bus = server.service(threadBusToken);
  if (bus === undefined) throw refusal('this server tells nothing of its threads', 404);
  return bus;
}

function noThread(thread: number): SluiceError {
  return refusal(`there is no thread ${thread}`, 404);
}

function refusal(message: string, status: number): SluiceError {
  return new SluiceError('ERR_DEBUG', message, { status });
}
