/**
 * Runs Sluice with nginx's command line, files and signals, as nginx's own tests require: `-p prefix -c file -e log -g directives`, a pid
 * file, SIGQUIT, SIGTERM and SIGHUP.
 *
 * For `-V`, it runs nginx itself, so that the tests can detect the available modules. Warnings of the adapter are written to the error log
 * as `[warn]` lines.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { register } from '@sluice/caddy.adapters';
import { adaptConfig } from '@sluice/reconciler';
import { Registry } from '@sluice/registry';

const { values } = parseArgs({
  options: {
    p: { type: 'string', short: 'p', default: '.' },
    c: { type: 'string', short: 'c', default: 'nginx.conf' },
    e: { type: 'string', short: 'e', default: 'error.log' },
    g: { type: 'string', short: 'g', default: '' },
    s: { type: 'string', short: 's' },
    V: { type: 'boolean', short: 'V', default: false },
    t: { type: 'boolean', short: 't', default: false },
    T: { type: 'boolean', short: 'T', default: false },
  },
});
const nginx = process.env['NGINX_COMMAND'] ?? 'nginx';
/** Uses the packaged server, which starts faster, or the sources if it has not been built. */
const built = fileURLToPath(new URL('../../../../../tools/packaging/out/tested/dist/main.js', import.meta.url));
const sources = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));
const command = existsSync(built) ? [built] : ['--conditions=@sluice/source', sources];
const prefix = resolve(values.p);
const file = resolve(prefix, values.c);
const log = resolve(prefix, values.e);
const socket = resolve(prefix, 'admin.sock');
const pidFile = resolve(prefix, 'nginx.pid');
const adapted = resolve(prefix, 'adapted.json');

if (values.V || values.T) {
  // nginx writes the output of `-V` to standard error. The tests load dynamic modules from a directory that may not exist, so that
  // directory is removed from the output.
  const { stdout, stderr } = spawnSync(nginx, process.argv.slice(2), { encoding: 'utf8' });
  process.stdout.write(stdout);
  process.stderr.write(stderr.replaceAll(/--with-\w+=dynamic/g, ''));
} else if (values.s === undefined) await serve();
else process.kill(Number(readFileSync(pidFile, 'utf8')), values.s === 'stop' ? 'SIGTERM' : 'SIGQUIT');

async function adapt(): Promise<string> {
  const { config, warnings } = await adaptConfig(
    new Registry().use(register),
    'nginx',
    `${readFileSync(file, 'utf8')}\n${values.g}`,
    { options: { file } },
  );
  for (const { file: where, line, message } of warnings) note('warn', `${message} in ${where ?? file}:${line}`);
  const document = { admin: { listen: `unix/${socket}`, config: { persist: false } }, ...(config as object) };
  return JSON.stringify(document);
}

function note(level: string, message: string): void {
  appendFileSync(log, `${new Date().toISOString()} [${level}] ${process.pid}#0: ${message}\n`);
}

async function serve(): Promise<void> {
  let text: string;
  try {
    text = await adapt();
  } catch (error) {
    note('emerg', error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
  if (values.t) return;
  writeFileSync(adapted, text);
  const home = { HOME: prefix, XDG_CONFIG_HOME: `${prefix}/config`, XDG_DATA_HOME: `${prefix}/data` };
  const child = spawn(process.execPath, [...command, 'run', '--workers', '0', '--config', adapted], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...home },
    cwd: prefix,
  });
  child.on('exit', (code) => process.exit(code ?? 1));
  process.on('SIGHUP', () => void reload());
  for (const signal of ['SIGTERM', 'SIGQUIT', 'SIGINT'] as const) process.on(signal, () => child.kill('SIGTERM'));
  await served(child);
  writeFileSync(pidFile, `${process.pid}\n`);
}

/** Resolves when the server accepts requests. */
function served(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      appendFileSync(`${log}.json`, chunk);
      if (chunk.includes('serving')) resolve();
      for (const line of chunk.split('\n')) if (line.includes('"level":"error"')) note('error', line);
    });
  });
}

async function reload(): Promise<void> {
  try {
    const text = await adapt();
    const sent = request({
      socketPath: socket,
      path: '/load',
      method: 'POST',
      headers: { Host: 'localhost', 'Content-Type': 'application/json' },
    });
    sent.on('response', (response) => response.resume());
    sent.on('error', (error) => note('error', error.message));
    sent.end(text);
  } catch (error) {
    note('emerg', error instanceof Error ? error.message : String(error));
  }
}
