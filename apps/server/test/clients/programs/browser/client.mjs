/** Sends requests and opens event streams and WebSockets from Chromium pages, over HTTP/1.1 and HTTP/2, until the stop file exists. */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const { BROWSER, PLAIN, SECURE, STOP, LINES } = process.env;
const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
const context = await browser.newContext({ ignoreHTTPSErrors: true });
await context.exposeFunction('going', () => !existsSync(STOP));

/** This function runs in the page. */
async function play(lines) {
  const stream = Array.from({ length: lines }, (_, i) => `${i}\n`).join('');
  const long = 'x'.repeat(5000);
  const counts = { requests: 0, streams: 0, websockets: 0, errors: [] };
  const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
  const loop = async (kind, path, options, expected) => {
    for (; await going(); await pause(10)) {
      try {
        const response = await fetch(path, options);
        const text = await response.text();
        if (response.status !== 200 || text !== expected)
          throw new Error(`status ${response.status}, ${text.length} bytes`);
        counts[kind]++;
      } catch (error) {
        counts.errors.push(`${location.protocol} ${path}: ${error.message}`);
      }
    }
  };
  const sockets = async () => {
    while (await going()) {
      const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/ws`);
      const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
      socket.addEventListener('open', () => socket.send('hello'));
      const sendMore = () => socket.readyState === 1 && socket.send('hello');
      socket.addEventListener('message', () => void setTimeout(sendMore, 100));
      const stopped = (async () => {
        while (await going()) await pause(50);
        return null;
      })();
      const end = await Promise.race([closed, stopped]);
      if (end?.code === 1006) counts.errors.push(`${location.protocol} WebSocket without a close frame`);
      socket.close();
      counts.websockets++;
    }
  };
  await Promise.all([
    loop('requests', '/', {}, 'ok'),
    loop('requests', '/proxied', {}, 'ok'),
    loop('requests', '/echo', { method: 'POST', body: long }, long),
    loop('streams', '/drip', {}, stream),
    sockets(),
  ]);
  return counts;
}

const pages = await Promise.all(
  [PLAIN, SECURE].map(async (base) => {
    const page = await context.newPage();
    await page.goto(base);
    return page.evaluate(play, Number(LINES));
  }),
);
await browser.close();
const sum = (key) => pages.reduce((total, page) => total + page[key], 0);
const errors = pages.flatMap((page) => page.errors);
const report = { requests: sum('requests'), streams: sum('streams'), websockets: sum('websockets'), errors };
process.stdout.write(`${JSON.stringify(report)}\n`);
