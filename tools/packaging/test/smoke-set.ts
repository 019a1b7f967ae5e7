/**
 * A smoke test subset of the conformance suite, with several test cases of each kind and Caddy's responses. The cases run on one server
 * that loads one configuration after another. They require only the server, so they work for every package format.
 */
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { workspaceRoot } from '../src/workspace.ts';
import type { Running } from './support.ts';

/** Names of the selected test cases, by file. */
const names: Readonly<Record<string, readonly string[]>> = {
  'admin-config': ['get array', 'get bulk', 'get missing key', 'refused: unknown field in a server'],
  'admin-load': ['load another document', 'load refused: unknown app', 'id: put, post, patch, delete a value'],
  'file-server': [
    'types by extension 1',
    'canonical directory slash',
    'if-none-match',
    'ranges single',
    'precompressed order',
  ],
  handlers: [
    'static status forms',
    'headers require',
    'rewrite strip encoded prefix',
    'encode statuses',
    'error routes empty',
  ],
  matchers: ['host: wildcard label', 'path: prefix with trailing slash', 'header_regexp: several values'],
  placeholders: ['{http.request.uri}', '{http.request.host.labels.4}', 'queries: shapes'],
};

interface Step {
  readonly to?: 'admin';
  readonly path?: string;
  readonly method?: string;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly json?: unknown;
  readonly only?: readonly ('status' | 'headers' | 'body')[];
}

interface Conversation {
  readonly name: string;
  readonly config: { readonly admin?: object };
  readonly files?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

/** A response without the parts that vary between runs. */
interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Header fields that every response contains or that concern the connection. They are not compared. */
const passedOver = /^(?:date|server|connection|keep-alive|alt-svc|transfer-encoding|content-length|via|trailer)$/;

/** Directory for files, and the path under which the server accesses it. */
interface Place {
  readonly folder: string;
  readonly seen: string;
}

/** Runs all selected test cases on a server. Returns the differences from Caddy's responses. */
export async function playSmokeSet(server: Running, place: Place): Promise<string[]> {
  const faults: string[] = [];
  for (const [file, wanted] of Object.entries(names)) {
    const read = (name: string): Buffer => readFileSync(join(workspaceRoot, 'tools/conformance', name));
    const conversations = JSON.parse(read(`cases/${file}.json`).toString()) as readonly Conversation[];
    const recorded = JSON.parse(gunzipSync(read(`recorded/cases/${file}.json.gz`)).toString()) as Readonly<
      Record<string, { readonly steps: readonly Partial<Seen>[] }>
    >;
    for (const name of wanted) {
      const conversation = conversations.find((each) => each.name === name);
      const expected = recorded[name]?.steps;
      if (conversation === undefined || expected === undefined) throw new Error(`${file} has no conversation ${name}`);
      const seen = await play(server, conversation, place);
      for (const [index, want] of expected.entries()) {
        const got = Object.fromEntries(Object.entries(seen[index] ?? {}).filter(([key]) => key in want));
        if (!isDeepStrictEqual(got, want))
          faults.push(`${file}: ${name}, step ${index + 1}: ${JSON.stringify(got)} and not ${JSON.stringify(want)}`);
      }
    }
  }
  return faults;
}

/** Runs one test case. Placeholders such as `${PORT}` are replaced with the values of this run. */
async function play(server: Running, { config, files = {}, steps }: Conversation, place: Place): Promise<Seen[]> {
  const values: [string, string][] = [
    ['${PORT}', String(server.port)],
    ['${ADMIN}', String(server.admin)],
    ['${DIR}', place.seen],
  ];
  const filled = <T>(value: T): T => {
    let text = JSON.stringify(value).replaceAll(/\$\{(.)\*(\d+)\}/g, (_, part: string, n: string) =>
      part.repeat(Number(n)),
    );
    for (const [name, content] of values) text = text.replaceAll(name, content);
    return JSON.parse(text) as T;
  };
  const plain = (text: string): string => values.reduce((sum, [name, content]) => sum.replaceAll(content, name), text);
  writeFiles(place.folder, filled(files));
  const admin = { listen: `127.0.0.1:${server.admin}`, ...config.admin };
  const loaded = await send(server, { to: 'admin', path: '/load', method: 'POST', json: filled({ ...config, admin }) });
  if (loaded.status !== 200) throw new Error(`loading the configuration failed: ${loaded.text}`);
  const seen: Seen[] = [];
  for (const step of steps) {
    const { status, headers, text } = await send(server, filled(step));
    const isTag = (name: string, value: string): boolean => name === 'etag' && value.includes('/config');
    const kept = Object.entries(headers).flatMap(([name, value]) => {
      const joined = [value ?? ''].flat().join(' | ');
      return passedOver.test(name) || isTag(name, joined) ? [] : [[name, plain(joined)]];
    });
    seen.push({ status, headers: Object.fromEntries(kept) as Record<string, string>, body: bodyOf(plain(text)) });
  }
  return seen;
}

/** Parses the body as JSON if possible. Error messages are ignored. */
function bodyOf(text: string): unknown {
  try {
    const body = JSON.parse(text) as { readonly error?: unknown } | null;
    return typeof body?.error === 'string' && body.error !== '' ? { ...body, error: '<text>' } : body;
  } catch {
    return text;
  }
}

/** Writes the files. All files have the same modification time, which appears in validators and listings. */
function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true });
    if (!name.endsWith('/')) writeFileSync(path, text);
    for (let each = path; each !== folder; each = dirname(each)) utimesSync(each, 1.6e9, 1.6e9);
  }
}

interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function send(server: Running, step: Step): Promise<Response> {
  const isAdmin = step.to === 'admin';
  const headers: Record<string, string> = { ...step.headers };
  if (step.json !== undefined) headers['Content-Type'] ??= 'application/json';
  if (step.host !== undefined) headers['Host'] = step.host;
  const port = isAdmin ? server.admin : server.port;
  return new Promise((resolve, reject) => {
    const { method = 'GET', path = '/', body } = step;
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        const all = isAdmin ? { ...response.headers, ...response.trailers } : response.headers;
        resolve({ status: response.statusCode ?? 0, headers: all, text });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(step.json === undefined ? body : JSON.stringify(step.json));
  });
}
