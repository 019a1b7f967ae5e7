/** Builds HTTP client programs in several languages on first use and caches them. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandOf } from '@sluice/testing';

const sources = fileURLToPath(new URL('programs', import.meta.url));
const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sluice-test-clients');

/** Counters and errors that a client program prints when it stops. */
export interface ClientReport {
  readonly requests: number;
  readonly streams: number;
  readonly websockets: number;
  readonly errors: readonly string[];
}

export interface ClientProgram {
  readonly name: string;
  /** Builds the program and returns its command line, or `null` if its build tools are not installed. */
  readonly build: () => readonly string[] | null;
}

function run(command: string, options: readonly string[], cwd: string): void {
  execFileSync(command, options, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
}

export const programs: readonly ClientProgram[] = [
  {
    name: 'Python (httpx, aiohttp, websockets)',
    build: () => {
      if (commandOf('python3') === null) return null;
      const environment = join(cache, 'python');
      const python = join(environment, 'bin/python');
      if (!existsSync(join(environment, 'complete'))) {
        run('python3', ['-m', 'venv', environment], cache);
        run(python, ['-m', 'pip', 'install', '--quiet', '-r', join(sources, 'python/requirements.txt')], cache);
        mkdirSync(join(environment, 'complete'));
      }
      return [python, join(sources, 'python/client.py')];
    },
  },
  {
    name: 'Go (net/http, coder/websocket)',
    build: () => {
      if (commandOf('go') === null) return null;
      const program = join(cache, 'go-client');
      run('go', ['build', '-o', program, '.'], join(sources, 'go'));
      return [program];
    },
  },
  {
    name: 'Java (java.net.http, OkHttp)',
    build: () => {
      if (commandOf('javac') === null || commandOf('mvn') === null) return null;
      const list = join(cache, 'java-classpath');
      const pom = join(sources, 'java/pom.xml');
      if (!existsSync(list))
        run('mvn', ['-q', '-f', pom, 'dependency:build-classpath', `-Dmdep.outputFile=${list}`], cache);
      return ['java', '-cp', readFileSync(list, 'utf8').trim(), join(sources, 'java/Client.java')];
    },
  },
  {
    name: 'Rust (reqwest, tungstenite)',
    build: () => {
      if (commandOf('cargo') === null) return null;
      const target = join(cache, 'rust');
      run('cargo', ['build', '--release', '--quiet', '--target-dir', target], join(sources, 'rust'));
      return [join(target, 'release/clients')];
    },
  },
  { name: 'Node (undici)', build: () => [process.execPath, join(sources, 'node/client.mjs')] },
  {
    name: 'Chromium',
    build: () => {
      const browser = commandOf('chromium') ?? commandOf('google-chrome');
      return browser === null
        ? null
        : ['env', `BROWSER=${browser}`, process.execPath, join(sources, 'browser/client.mjs')];
    },
  },
  { name: 'curl', build: () => (commandOf('curl') === null ? null : [join(sources, 'curl.sh')]) },
];

/** Builds a program. Returns its command line, or `null` if its build tools are not installed. */
export function build(program: ClientProgram): readonly string[] | null {
  mkdirSync(cache, { recursive: true });
  return program.build();
}

/** Runs a program until the stop file specified in its environment exists. Returns its report. */
export function play(command: readonly string[], environment: Readonly<Record<string, string>>): Promise<ClientReport> {
  const [file = '', ...options] = command;
  const child = spawn(file, options, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const line = output.trim().split('\n').at(-1) ?? '';
      if (line.startsWith('{')) resolve(JSON.parse(line) as ClientReport);
      else reject(new Error(`${file} exited with ${code} and no report: ${errors.slice(0, 2000)}`));
    });
  });
}
