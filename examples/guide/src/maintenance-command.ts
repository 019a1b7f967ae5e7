/** `sluice maintenance`: switches maintenance on in a server that runs, or off. */
import type { Commands } from '@sluice/module';

/** What the command line makes of the options below. */
interface Options {
  readonly off?: boolean;
  readonly address?: string;
}

/** Adds the command. */
export function addMaintenanceCommand(commands: Commands): void {
  commands.add({
    name: 'maintenance',
    summary: 'switch maintenance on',
    options: [
      { flags: '--off', description: 'switch it off' },
      { flags: '--address <host:port>', description: 'admin endpoint of the server' },
    ],
    load: async () => run,
  });
}

async function run({ off = false, address = 'localhost:2019' }: Options): Promise<number> {
  const endpoint = `http://${address}`;
  const response = await fetch(`${endpoint}/maintenance`, {
    method: 'PUT',
    // `fetch` speaks as browsers do, and those have to say from where they ask.
    headers: { Origin: endpoint },
    body: JSON.stringify({ on: !off }),
  });
  process.stdout.write(await response.text());
  return response.ok ? 0 : 1;
}
