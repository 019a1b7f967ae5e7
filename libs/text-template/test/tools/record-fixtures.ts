/**
 * Renders the fixture templates on Caddy and records the results. Not part of the tests:
 *
 *     node test/tools/record-fixtures.ts [COMMAND] [FILE...]
 *
 * COMMAND is the Caddy command (default: `caddy`). Without FILE, all fixtures are recorded. Each template is served as `/page.html` in the
 * time zone UTC.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fixturesFolder, type Fixture } from './fixture.ts';

/** A running Caddy process. */
interface Reference {
  readonly process: ChildProcess;
  readonly folder: string;
  readonly port: number;
  /** Returns the log output since the previous call. */
  takeLog(): string;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

async function startReference(command: string): Promise<Reference> {
  const folder = await mkdtemp(join(tmpdir(), 'fixtures-'));
  const root = join(folder, 'pages');
  await mkdir(root);
  const [port, admin] = [await freePort(), await freePort()];
  const handle = [
    { handler: 'templates', file_root: root, mime_types: ['text/html'] },
    { handler: 'file_server', root },
  ];
  const server = { listen: [`127.0.0.1:${port}`], automatic_https: { disable: true }, routes: [{ handle }] };
  const config = { admin: { listen: `127.0.0.1:${admin}` }, apps: { http: { servers: { pages: server } } } };
  const file = join(folder, 'config.json');
  await writeFile(file, JSON.stringify(config));
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder, TZ: 'UTC' };
  const child = spawn(command, ['run', '--config', file], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const takeLog = (): string => {
    const taken = log;
    log = '';
    return taken;
  };
  for (let attempt = 0; attempt < 200; attempt++) {
    await sleep(50);
    const up = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (up) return { process: child, folder: root, port, takeLog };
  }
  child.kill('SIGKILL');
  throw new Error(`${command} does not respond`);
}

/** Renders a template. Returns its output or the logged error. */
async function record(reference: Reference, fixture: Fixture): Promise<Fixture> {
  const { template, differs, ours } = fixture;
  await writeFile(join(reference.folder, 'page.html'), template);
  reference.takeLog();
  const signal = AbortSignal.timeout(60_000);
  const response = await fetch(`http://127.0.0.1:${reference.port}/page.html`, { signal });
  const body = Buffer.from(await response.arrayBuffer());
  const kept = differs === undefined ? {} : { differs, ours };
  if (response.status !== 200) return { template, error: await loggedError(reference), ...kept } as Fixture;
  const text = body.toString();
  const exact = Buffer.from(text).equals(body);
  return { template, ...(exact ? { output: text } : { outputBase64: body.toString('base64') }), ...kept } as Fixture;
}

async function loggedError(reference: Reference): Promise<string> {
  let log = '';
  for (let attempt = 0; attempt < 100; attempt++) {
    log += reference.takeLog();
    for (const line of log.split('\n').filter((each) => each.endsWith('}'))) {
      const entry = JSON.parse(line) as { msg?: string; request?: { uri?: string } };
      if (entry.request?.uri === '/page.html' && entry.msg !== undefined) return entry.msg;
    }
    await sleep(10);
  }
  throw new Error('the reference logged no error');
}

const [command = 'caddy', ...files] = process.argv.slice(2);
const names = files.length > 0 ? files : (await readdir(fixturesFolder)).filter((name) => name.endsWith('.json'));
const reference = await startReference(command);
try {
  for (const name of names) {
    const path = join(fixturesFolder, name);
    const recorded: Fixture[] = [];
    for (const fixture of JSON.parse(await readFile(path, 'utf8')) as Fixture[]) {
      recorded.push(await record(reference, fixture));
    }
    // Writes one fixture per line, so that a diff shows which fixtures have changed.
    await writeFile(path, `[\n${recorded.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`);
    process.stdout.write(`${name}: ${recorded.length} templates\n`);
  }
} finally {
  reference.process.kill('SIGKILL');
  await rm(join(reference.folder, '..'), { recursive: true, force: true });
}
