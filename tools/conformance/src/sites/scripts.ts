/** Runs PHP for test sites: php-fpm if requested, and otherwise a FastCGI responder that imitates the scripts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenFastcgi, type FastcgiRequest } from '../paths/responder.ts';
import { freePort } from '@sluice/testing/machine';
import type { Stub } from './stubs.ts';

/** Environment variables that the scripts print. */
const shown: readonly string[] = [
  'REQUEST_METHOD',
  'REQUEST_URI',
  'QUERY_STRING',
  'SCRIPT_NAME',
  'SCRIPT_FILENAME',
  'PATH_INFO',
  'DOCUMENT_ROOT',
  'DOCUMENT_URI',
  'SERVER_NAME',
  'SERVER_PORT',
  'HTTPS',
  'HTTP_HOST',
  'HTTP_X_FORWARDED_FOR',
  'CONTENT_TYPE',
  'CONTENT_LENGTH',
  'REMOTE_USER',
  'APP_ENV',
];

/** Starts a FastCGI responder in the current process. */
export async function listenScripts(): Promise<Stub> {
  return await listenFastcgi(respond);
}

function respond({ params, body }: FastcgiRequest): string {
  const file = params.get('SCRIPT_FILENAME') ?? '';
  if (!file.endsWith('.php') || !existsSync(file))
    return 'Status: 404 Not Found\r\nContent-Type: text/html; charset=UTF-8\r\n\r\nFile not found.\n';
  const query = params.get('QUERY_STRING') ?? '';
  const status = /(?:^|&)status=(\d{3})/.exec(query)?.[1];
  const location = /(?:^|&)to=([^&]*)/.exec(query)?.[1];
  const head = [
    'X-Powered-By: PHP/8',
    ...(status === undefined ? [] : [`Status: ${status} Status`]),
    ...(location === undefined ? [] : ['Status: 302 Found', `Location: ${decodeURIComponent(location)}`]),
    'Content-Type: text/plain; charset=UTF-8',
  ];
  const lines = shown.map((name) => `${name}=${params.get(name) ?? ''}`);
  return `${head.join('\r\n')}\r\n\r\n${lines.join('\n')}\n${body.toString('latin1')}`;
}

/** Starts the system's php-fpm. */
export async function startPhp(command: string): Promise<Stub> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-php-'));
  const port = await freePort();
  const pool = [
    '[global]',
    'daemonize = no',
    `error_log = ${folder}/log`,
    '[www]',
    `listen = 127.0.0.1:${port}`,
    'pm = static',
    'pm.max_children = 2',
    'php_admin_flag[expose_php] = off',
  ];
  writeFileSync(join(folder, 'fpm.conf'), `${pool.join('\n')}\n`);
  const rights = process.getuid?.() === 0 ? ['-R'] : [];
  const child = spawn(command, ['-F', ...rights, '-y', join(folder, 'fpm.conf')], { stdio: 'ignore' });
  for (const end = performance.now() + 5000; performance.now() < end && !(await listens(port));) await sleep(20);
  return {
    port,
    close: () => {
      void once(child, 'exit').then(() => rmSync(folder, { recursive: true, force: true }));
      child.kill('SIGTERM');
    },
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
