/** Reserves standard output for commands that use it to exchange protocol messages. */
import { Writable } from 'node:stream';

/** Reserves standard output for a protocol. Redirects other output, for example from modules, to standard error. */
export function reserveOutput(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return new Writable({ write: (chunk: Uint8Array, encoding, done) => void write(chunk, encoding, done) });
}
