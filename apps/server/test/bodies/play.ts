/** Runs combinations against a server and verifies the results. */
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { spawn, type ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { commandOf, freePort, throwAwayCertificate } from '@sluice/testing';
import { until, type Sandbox } from '../support/sandbox.ts';
import { ask, type Outcome, type Ports } from './client.ts';
import { bodyOf, expectedBody, isCut, nameOf, sizes, type Combination } from './combinations.ts';
import { configurationOf, type Places } from './configuration.ts';
import { startUpstreams, type Upstreams } from './upstreams.ts';

const together = 8;

/** Test environment shared by all servers: upstreams, files and PHP. */
export class Stage {
  readonly sandbox: Sandbox;
  readonly upstreams: Upstreams;
  /** Path of the PHP-FPM socket, or `null` if PHP-FPM is not installed. */
  readonly php: string | null;
  readonly #files: string;
  readonly #processes: ChildProcess[];

  private constructor(sandbox: Sandbox, upstreams: Upstreams, php: string | null, processes: ChildProcess[]) {
    this.sandbox = sandbox;
    this.upstreams = upstreams;
    this.php = php;
    this.#files = sandbox.path('files');
    this.#processes = processes;
  }

  static async build(sandbox: Sandbox): Promise<Stage> {
    const files = sandbox.path('files');
    await mkdir(files, { recursive: true });
    for (const size of sizes) await writeFile(join(files, `${size}.txt`), bodyOf(size));
    await writeFile(join(files, 'body.php'), phpScript);
    const processes: ChildProcess[] = [];
    const php = await startPhp(sandbox, processes);
    return new Stage(sandbox, await startUpstreams(), php, processes);
  }

  /** Allocates ports and directories for one server. */
  async places(): Promise<Places> {
    return {
      admin: await freePort(),
      plain: await freePort(),
      secure: await freePort(),
      files: this.#files,
      php: this.php,
      certificate: await throwAwayCertificate(['localhost']),
      upstreams: this.upstreams,
    };
  }

  /** Runs another server, such as Caddy, with the same configuration. */
  async runReference(command: string): Promise<Ports> {
    const places = await this.places();
    const file = await this.sandbox.write('reference.json', configurationOf(places));
    const home = this.sandbox.path('reference');
    const child = spawn(command, ['run', '--config', file], {
      env: { PATH: process.env['PATH'], HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home },
      stdio: 'ignore',
    });
    this.#processes.push(child);
    let isOpen = false;
    const knock = setInterval(() => {
      const socket = connect(places.plain, '127.0.0.1', () => {
        isOpen = true;
        socket.destroy();
      });
      socket.on('error', () => undefined);
    }, 100);
    await until(() => isOpen || child.exitCode !== null, 'the reference to serve').finally(() => clearInterval(knock));
    return places;
  }

  async close(): Promise<void> {
    for (const child of this.#processes) {
      if (child.exitCode !== null) continue;
      child.kill();
      await once(child, 'exit');
    }
    await this.upstreams.close();
  }
}

const phpScript = `<?php
$body = file_get_contents(__DIR__ . '/' . intval($_GET['size']) . '.txt');
header('Content-Type: text/plain; charset=utf-8');
if ($_GET['framing'] === 'length') header('Content-Length: ' . strlen($body));
echo $body;
`;

async function startPhp(sandbox: Sandbox, processes: ChildProcess[]): Promise<string | null> {
  const command = commandOf('php-fpm') ?? commandOf('php-fpm8.2');
  if (command === null) return null;
  const socket = sandbox.path('php.sock');
  const pool = `[global]\nerror_log = ${sandbox.path('php.log')}\ndaemonize = no\n[www]\nlisten = ${socket}\npm = static\npm.max_children = 8\n`;
  const file = await sandbox.write('php-fpm.conf', pool);
  const child = spawn(command, ['--nodaemonize', '--allow-to-run-as-root', '--fpm-config', file], { stdio: 'ignore' });
  processes.push(child);
  let isOpen = false;
  const knock = setInterval(() => {
    const probe = connect(socket, () => {
      isOpen = true;
      probe.destroy();
    });
    probe.on('error', () => undefined);
  }, 50);
  await until(() => isOpen || child.exitCode !== null, 'PHP-FPM to listen').finally(() => clearInterval(knock));
  return isOpen ? socket : null;
}

/** Runs combinations concurrently and returns their results. */
export async function play(ports: Ports, list: readonly Combination[]): Promise<(Outcome | Error)[]> {
  const outcomes: (Outcome | Error)[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < list.length; index = next++)
      outcomes[index] = await ask(ports, list[index] as Combination).catch((error: Error) => error);
  };
  await Promise.all(Array.from({ length: together }, work));
  return outcomes;
}

/** Describes the problem with a result. Returns an empty string if the result is correct. */
export function problemOf(each: Combination, outcome: Outcome | Error): string {
  if (outcome instanceof Error) return `${nameOf(each)}: ${outcome.message}`;
  const expected = expectedBody(each);
  const { status, whole, body, surplus, untold } = outcome;
  const say = (what: string): string => `${nameOf(each)}: ${what} (status ${status}, ${body.length} bytes)`;
  if (surplus !== '') return say(`bytes that belong to no response: ${JSON.stringify(surplus.slice(0, 60))}`);
  if (isCut(each)) {
    if (status >= 500) return '';
    if (whole && !untold) return say('looks complete');
    return body.equals(expected.subarray(0, body.length)) ? '' : say('other bytes');
  }
  if (!whole) return say('was cut');
  if (status !== statusOf(each)) return say(`not ${statusOf(each)}`);
  return body.equals(expected) ? '' : say(`not the ${expected.length} bytes of the body`);
}

function statusOf({ producer, filter, size }: Combination): number {
  // For a file that is a template or is encoded, a range request returns the whole file.
  if (producer === 'range') return size > 0 ? 206 : 200;
  return filter === 'intercept' ? 203 : 200;
}
