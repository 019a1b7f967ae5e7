/** Finds commands and free ports on this machine. */
import { randomInt } from 'node:crypto';
import { accessSync, constants, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';

/** Returns the path of a command, or `null` if it is not installed. `also` lists directories to search in addition to those in `PATH`. */
export function commandOf(name: string, also: readonly string[] = []): string | null {
  for (const folder of [...(process.env['PATH'] ?? '').split(delimiter), ...also]) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // The command is not in this directory.
    }
  }
  return null;
}

/**
 * Returns a free loopback port outside the system's ephemeral port range. A server can still use the port later or after a restart. If the
 * range is unknown, returns any free port.
 */
export async function freePort(): Promise<number> {
  const least = 20_000;
  const end = firstOutgoingPort();
  for (let tried = 0; end > least && tried < 100; tried++) {
    const port = await listensOn(randomInt(least, end));
    if (port !== null) return port;
  }
  return (await listensOn(0)) as number;
}

/** Tries to listen on a port. 0 means any free port. Returns the port, or `null` if it is in use. */
function listensOn(wanted: number): Promise<number | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(null));
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function firstOutgoingPort(): number {
  try {
    return Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10);
  } catch {
    return 0;
  }
}
