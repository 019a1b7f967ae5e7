/** `sluice respond`: sends the same response to every request, for development and testing. */
import { readPiped } from '../standard-input.ts';
import { respondConfig, type RespondOptions } from '../quick/respond-config.ts';
import { serveQuickly, type WorkerOption } from '../quick/serve-quickly.ts';

/** Prints one address per server, and serves until a shutdown is requested. Uses one thread by default. */
export function respond(options: RespondOptions & WorkerOption): Promise<number> {
  const { workers = 0 } = options;
  return serveQuickly(respondConfig(options, readPiped), { workers }, (addresses) => {
    process.stdout.write(addresses.map((address) => `Server address: ${address}\n`).join(''));
  });
}
