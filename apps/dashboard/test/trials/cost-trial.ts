/**
 * Measures the CPU cost of open dashboard pages for a busy server. The cost is the number of instructions per request, counted by `perf`
 * during a `wrk` run.
 */
import { spawn } from 'node:child_process';
import type { Browser, BrowserContext } from 'playwright-core';
import { commandOf } from '@sluice/testing';
import { openPage } from '../support/browser.ts';
import { median, type Measurement } from './measurement.ts';
import type { ServerProcess } from './server-process.ts';

const seconds = 3;
const pages = 5;

/**
 * Alternates between measurements with and without open pages. While `wrk` runs, programs read the page streams instead of browsers,
 * because browsers would use the server's CPUs. Browser pages are measured without requests. Each page is a separate client, because tabs
 * of one browser share messages.
 */
export async function tryCost(browser: Browser, server: ServerProcess, rounds: number): Promise<Measurement[]> {
  if (commandOf('perf') === null || commandOf('wrk') === null) throw new Error('this trial wants perf and wrk');
  const { instructions: second } = await loaded(server);
  const shares: number[] = [];
  const own: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const plain = await loaded(server);
    const end = followStreams(server.origin);
    const followed = await loaded(server);
    end();
    shares.push((followed.instructions / followed.requests / (plain.instructions / plain.requests) - 1) * 100);
    const idle = await unloaded(server);
    const contexts = await open(browser, server.origin);
    own.push((((await unloaded(server)) - idle) / second) * 100);
    for (const context of contexts) await context.close();
  }
  return [
    {
      what: `${pages} that read what pages read: instructions for each request`,
      value: median(shares),
      unit: '%',
      most: 1,
    },
    {
      what: `${pages} pages in browsers: what they make the server do in a second`,
      value: median(own),
      unit: '%',
      most: 1,
    },
    { what: 'the most of that in a round', value: Math.max(...own), unit: '%' },
  ];
}

/** Reads the event streams of several pages. Returns a function that stops reading. */
function followStreams(origin: string): () => void {
  const abort = new AbortController();
  const read = async (path: string): Promise<void> => {
    const response = await fetch(origin + path, { headers: { Origin: origin }, signal: abort.signal });
    for await (const part of response.body ?? []) void part;
  };
  for (let page = 0; page < pages; page++)
    for (const path of ['/stats/stream?top=10&every=2', '/events']) read(path).catch(() => undefined);
  return () => abort.abort();
}

async function open(browser: Browser, origin: string): Promise<BrowserContext[]> {
  const contexts: BrowserContext[] = [];
  for (let count = 0; count < pages; count++) {
    const { page, context } = await openPage(browser, { origin });
    page.setDefaultTimeout(60_000);
    await page.goto(`${origin}/ui/`);
    await page.getByText('Since startup').waitFor();
    contexts.push(context);
  }
  return contexts;
}

/** Measures the server's CPU instructions under full load. */
async function loaded({
  pid,
  port,
}: ServerProcess): Promise<{ readonly instructions: number; readonly requests: number }> {
  const wrk = [
    'taskset',
    '-c',
    '1',
    'wrk',
    '-t1',
    '-c64',
    `-d${seconds}s`,
    '--timeout',
    '30s',
    `http://127.0.0.1:${port}/hello`,
  ];
  const { output, instructions } = await during(pid, wrk);
  return { instructions, requests: Number(/(\d+) requests in /.exec(output)?.[1] ?? Number.NaN) };
}

/** Measures the server's CPU instructions without requests. */
async function unloaded({ pid }: ServerProcess): Promise<number> {
  return (await during(pid, ['sleep', String(seconds)])).instructions;
}

function during(
  pid: number,
  command: readonly string[],
): Promise<{ readonly output: string; readonly instructions: number }> {
  const args = ['stat', '-x', ',', '-e', 'instructions:u', '-p', String(pid), '--', ...command];
  return new Promise((resolve, reject) => {
    const child = spawn('perf', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let counted = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (counted += text));
    child.on('error', reject).on('close', () => {
      resolve({ output, instructions: Number(/^(\d+),.*instructions/m.exec(counted)?.[1] ?? Number.NaN) });
    });
  });
}
