/** `sluice maintenance`: turns the maintenance mode of a running server on or off. */
import type { Commands } from '@sluice/module';

/** Parsed command-line options. */
interface Options {
  readonly off?: boolean;
  readonly address?: string;
}

/** Registers the command. */
export function addMaintenanceCommand(commands: Commands): void {
  commands.add({
    name: 'maintenance',
    summary: 'turn maintenance mode on',
    options: [
      { flags: '--off', description: 'turn it off' },
      { flags: '--address <host:port>', description: "address of the server's admin endpoint" },
    ],
    load: async () => run,
  });
}

async function run({ off = false, address = 'localhost:2019' }: Options): Promise<number> {
  const endpoint = `http://${address}`;
  const response = await fetch(`${endpoint}/maintenance`, {
    method: 'PUT',
    // Send `Origin`. The endpoint requires it, because `fetch` sends browser metadata.
    headers: { Origin: endpoint },
    body: JSON.stringify({ on: !off }),
  });
  process.stdout.write(await response.text());
  return response.ok ? 0 : 1;
}
