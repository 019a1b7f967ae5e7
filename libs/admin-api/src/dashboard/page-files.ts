/** Serves the dashboard files to browsers. The files are the same for all users and contain no secrets. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { codingsIn } from '../http/accept.ts';
import { sendBody, sendError, type Fields } from '../http/send.ts';

/** Returns the content of a dashboard file, such as `index.html` or `main-1a2b.js.br`. Returns `null` if the file does not exist. */
export type ReadPageFile = (name: string) => Buffer | null;

/** Content security policy. All resources must come from the endpoint itself, and inline scripts are blocked. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const guards: Fields = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const types: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['svg', 'image/svg+xml'],
]);

/** Supported content encodings, ordered by compression ratio, best first. */
const encodings: readonly (readonly [coding: string, suffix: string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

/** Allowed file names. The pattern excludes directories and path traversal. */
const nameOfFile = /^[a-z\d][\w-]*\.(html|js|css|svg)$/i;

/** Serves the dashboard file for a path such as `/ui/` or `/ui/main-1a2b.js`. */
export function sendPageFile(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  read: ReadPageFile | undefined,
): void {
  const name = path.slice('/ui/'.length) || 'index.html';
  const type = types.get(nameOfFile.exec(name)?.[1]?.toLowerCase() ?? '');
  const file = type === undefined || read === undefined ? null : findFile(name, codingsIn(request), read);
  if (type === undefined || file === null) {
    const missing = read === undefined || read('index.html') === null;
    const why = missing ? 'this build does not include the dashboard' : `the dashboard has no file ${path}`;
    sendError(response, 404, why, 'ERR_ADMIN_PATH');
    return;
  }
  sendBody(response, 200, file.body, {
    ...guards,
    'Content-Type': type,
    Vary: 'Accept-Encoding',
    // All file names except `index.html` contain a content hash, so browsers may cache these files forever.
    'Cache-Control': name === 'index.html' ? 'no-cache' : 'public, max-age=31536000, immutable',
    ...(file.coding === null ? {} : { 'Content-Encoding': file.coding }),
  });
}

function findFile(
  name: string,
  accepted: ReadonlySet<string>,
  read: ReadPageFile,
): { readonly body: Buffer; readonly coding: string | null } | null {
  for (const [coding, suffix] of encodings) {
    const body = accepted.has(coding) ? read(name + suffix) : null;
    if (body !== null) return { body, coding };
  }
  const body = read(name);
  return body === null ? null : { body, coding: null };
}
