/** Generates load with wrk, on CPU 1. */
import { spawn } from 'node:child_process';
import { findCommand, onProcessor } from './machine.ts';

export interface Load {
  readonly requestsPerSecond: number;
  readonly requests: number;
  /** Time in milliseconds. */
  readonly p99: number;
  readonly errors: number;
}

export interface LoadOptions {
  readonly seconds: number;
  readonly connections?: number;
  readonly headers?: readonly string[];
}

/** True if wrk is installed. */
export const haveWrk: boolean = findCommand('wrk') !== null;

/** Requests a URL at the maximum rate and reports the results. Each connection sends a request as soon as the previous response arrives. */
export async function load(url: string, { seconds, connections = 64, headers = [] }: LoadOptions): Promise<Load> {
  const browser = ['Accept: text/html,*/*', 'Accept-Language: en', 'User-Agent: bench/1.0'];
  const args = [
    '-t1',
    `-c${connections}`,
    // Round up to whole seconds, because wrk and h2load don't accept fractions.
    `-d${Math.ceil(seconds)}s`,
    // Use a long timeout. A late response from a server with little CPU time is a measurement result, not an error.
    '--timeout',
    '30s',
    '--latency',
    ...[...browser, ...headers].flatMap((header) => ['-H', header]),
    url,
  ];
  return parse(await printed(['wrk', ...args]));
}

/** Runs a load generator's command on CPU 1. Returns the output. */
export function printed(command: readonly string[]): Promise<string> {
  const [program = '', ...args] = onProcessor(1, command);
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject).on('close', () => resolve(output));
  });
}

function parse(output: string): Load {
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(output);
  const p99 = /99%\s+([\d.]+)(us|ms|s)/.exec(output);
  const failed = /Non-2xx or 3xx responses: (\d+)/.exec(output);
  const sockets = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output);
  const scale = p99?.[2] === 'us' ? 0.001 : p99?.[2] === 's' ? 1000 : 1;
  const errors = Number(failed?.[1] ?? 0) + (sockets?.slice(1).reduce((sum, count) => sum + Number(count), 0) ?? 0);
  const requests = Number(/(\d+) requests in /.exec(output)?.[1] ?? 0);
  return { requestsPerSecond: Number(rate?.[1] ?? 0), requests, p99: Number(p99?.[1] ?? 0) * scale, errors };
}
