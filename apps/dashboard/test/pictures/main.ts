/**
 * Creates the screenshots in docs/guide/dashboard: each view of a busy server in light colors. With a directory argument, also creates dark
 * and phone-sized screenshots for inspection.
 *
 *   npm run dashboard-pictures [-- FOLDER]
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { openPage, startBrowser } from '../support/browser.ts';
import { startServerProcess, type ServerProcess } from '../trials/server-process.ts';
import { town } from './town.ts';

const views: Readonly<Record<string, string>> = {
  overview: 'overview',
  sites: 'sites',
  traffic: 'traffic',
  explain: 'traffic?tab=explain&url=http%3A%2F%2Fshop.example.com%2Fcart',
  configuration: 'config?path=/apps/http/servers/demo/routes/1/handle/0',
  upstreams: 'upstreams',
  certificates: 'certificates',
  changes: 'changes',
  logs: 'logs',
  server: 'server',
};

const paths = ['/', '/cart', '/search?q=boots', '/images/a.webp', '/missing'];
const hosts = ['shop.example.com', 'shop.example.com', 'api.example.com', 'blog.example.com', 'old.example.com'];

const [folder] = process.argv.slice(2);
const docs = fileURLToPath(new URL('../../../../docs/guide/dashboard', import.meta.url));

const upstreams = await Promise.all([2, 8, 30].map((delay) => startUpstream(delay)));
const server = await startServerProcess((port) => town(port, upstreams));
const browser = await startBrowser();
const requests = setInterval(() => sendRequests(server), 20);
try {
  await makeChanges(server);
  await sleep(20_000);
  await take('docs', docs, {});
  if (folder !== undefined)
    for (const [name, look] of Object.entries({ light: {}, dark: { dark: true }, phone: { phone: true } }))
      await take(name, join(folder, name), look);
} finally {
  clearInterval(requests);
  await browser.close();
  await server.stop();
}
process.exit(0);

/** Takes screenshots of all views, and an additional phone-sized screenshot for the guide. */
async function take(name: string, into: string, look: { dark?: boolean; phone?: boolean }): Promise<void> {
  mkdirSync(into, { recursive: true });
  const { page, context } = await openPage(browser, { origin: server.origin, ...look });
  // Rendering is slow while several browsers share the CPUs.
  page.setDefaultTimeout(30_000);
  await page.goto(`${server.origin}/ui/`);
  // Waits until enough samples are collected for the charts.
  await sleep(15_000);
  for (const [view, hash] of Object.entries(views)) await picture(page, hash, join(into, `${view}.webp`));
  await context.close();
  if (name !== 'docs') return;
  const phone = await openPage(browser, { origin: server.origin, phone: true, dark: true });
  await phone.page.goto(`${server.origin}/ui/`);
  await sleep(10_000);
  await picture(phone.page, 'overview', join(into, 'phone.webp'));
  await phone.context.close();
}

async function picture(page: Page, hash: string, file: string): Promise<void> {
  await page.evaluate((to) => void (location.hash = `/${to}`), hash);
  if (hash.includes('explain')) await page.getByRole('button', { name: 'Explain', exact: true }).click();
  await sleep(hash === 'logs' || hash === 'traffic' ? 6000 : 2500);
  await page.waitForFunction(() => !document.body.innerText.includes('Loading…'));
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 60 });
  writeFileSync(file, Buffer.from(data, 'base64'));
  await session.detach();
}

/** Makes some configuration changes so that the history is not empty. */
async function makeChanges({ change }: ServerProcess): Promise<void> {
  await change('PATCH', '/id/hello/handle/0/body', 'good morning');
  await change('PATCH', '/id/hello/handle/0/body', 'good evening');
  await change('POST', '/config/apps/http/servers/demo/routes/1/match/0/host', 'store.example.com');
}

function sendRequests({ port }: ServerProcess): void {
  const host = hosts[Math.floor(Math.random() * hosts.length)] ?? '';
  const path = paths[Math.floor(Math.random() * paths.length)] ?? '/';
  get({ port, host: '127.0.0.1', path, headers: { Host: host } }, (response) => response.resume()).on('error', () => {
    // Ignores errors of requests that are aborted when the measurement ends.
  });
}

/** Starts an upstream with a response delay in milliseconds. Returns its address. */
async function startUpstream(delay: number): Promise<string> {
  const upstream = createServer((request, response) => {
    setTimeout(() => {
      response.statusCode = request.url === '/missing' ? 404 : 200;
      response.end('hello\n'.repeat(200));
    }, delay);
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
}
