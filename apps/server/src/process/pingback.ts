/** Implements the `--pingback` option: notifies the parent process when the server is ready. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { splitHostPort } from '@sluice/base';
import { CommandError } from '../failure.ts';
import type { RunOptions } from '../run-options.ts';

/**
 * Returns a function that sends the initial content of standard input to the parent process. Returns `undefined` if no pingback is
 * requested.
 */
export function pingback({ pingback: address, config }: RunOptions): (() => Promise<void>) | undefined {
  if (address === undefined || address === '') return undefined;
  if (config === '-') throw new CommandError('--pingback uses standard input: pass the configuration as a file');
  const { host, port } = splitHostPort(address);
  const bytes = readFileSync(0);
  return () => send(bytes, host, Number(port), address);
}

function send(bytes: Buffer, host: string, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host === '' ? 'localhost' : host);
    socket.once('error', (error) =>
      reject(new CommandError(`--pingback ${address}: failed to send the confirmation: ${error.message}`, error)),
    );
    socket.once('close', () => resolve());
    socket.end(bytes);
  });
}
