/** `sluice respond`: sends the same response to every request, for development and tests. */
import { readPiped } from '../standard-input.ts';
import { respondConfig, type RespondOptions } from '../quick/respond-config.ts';
import { serveQuickly, type WorkerOption } from '../quick/serve-quickly.ts';

/** Serves until a shutdown is requested, and prints one address per server. Uses one thread by default. */
export function respond(options: RespondOptions & WorkerOption): Promise<number> {
  const { workers = 0 } = options;
  return serveQuickly(respondConfig(options, readPiped), { workers }, (addresses) => {
    process.stdout.write(addresses.map((address) => `Server address: ${address}\n`).join(''));
  });
}
