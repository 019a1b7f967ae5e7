/** Load by wrk, on processor 1. */
import { spawn } from 'node:child_process';
import { findCommand, onProcessor } from './machine.ts';

/** What wrk measured. */
export interface Load {
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p99: number;
  readonly errors: number;
}

/** What wrk is asked for. */
export interface LoadOptions {
  readonly seconds: number;
  readonly connections?: number;
  readonly headers?: readonly string[];
}

/** Whether there is a wrk here. */
export const haveWrk: boolean = findCommand('wrk') !== null;

/** Asks for a URL as fast as responses come. */
export function load(url: string, { seconds, connections = 64, headers = [] }: LoadOptions): Promise<Load> {
  const browser = ['Accept: text/html,*/*', 'Accept-Language: en', 'User-Agent: bench/1.0'];
  const args = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--latency',
    ...[...browser, ...headers].flatMap((header) => ['-H', header]),
    url,
  ];
  const [program = '', ...rest] = onProcessor(1, ['wrk', ...args]);
  return new Promise((resolve, reject) => {
    const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject).on('close', () => resolve(parse(output)));
  });
}

function parse(output: string): Load {
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(output);
  const p99 = /99%\s+([\d.]+)(us|ms|s)/.exec(output);
  const failed = /Non-2xx or 3xx responses: (\d+)/.exec(output);
  const sockets = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output);
  const scale = p99?.[2] === 'us' ? 0.001 : p99?.[2] === 's' ? 1000 : 1;
  const errors = Number(failed?.[1] ?? 0) + (sockets?.slice(1).reduce((sum, count) => sum + Number(count), 0) ?? 0);
  return { requestsPerSecond: Number(rate?.[1] ?? 0), p99: Number(p99?.[1] ?? 0) * scale, errors };
}
