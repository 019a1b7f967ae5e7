/** Runs cases until each kind has enough of them. */
import { freePort } from '@sluice/testing/machine';
import { ours, reference } from '../servers/commands.ts';
import { ServerProcess } from '../servers/server-process.ts';
import { adminSequence, caddyfile, requests, type Kind } from './play.ts';

const kinds: Readonly<Record<string, Kind>> = { requests, admin: adminSequence, caddyfile };

export interface Trial {
  /** Total number of cases. */
  readonly count: number;
  readonly seed: number;
  /** The only kind of case to run. Default: all kinds. */
  readonly kind?: string;
  /** The only seed to run, taken from a report. */
  readonly only?: number;
  readonly log: (line: string) => void;
}

/** Runs a trial against Caddy, which must be installed. Returns reports of all undocumented differences. */
export async function runTrial({ count, seed, kind, only, log }: Trial): Promise<string[]> {
  const servers = [await ServerProcess.start(reference() ?? []), await ServerProcess.start(ours)] as const;
  const other = await freePort();
  const found: string[] = [];
  try {
    const chosen = Object.entries(kinds).filter(([name]) => kind === undefined || name === kind);
    for (const [name, play] of chosen) {
      let [cases, differing] = [0, 0];
      for (let number = 0; cases < count / chosen.length; number++) {
        const own = only ?? seed * 1_000_000 + number;
        const outcomes = await play(own, servers, other);
        cases += outcomes.length;
        for (const outcome of outcomes) {
          if (outcome === null) continue;
          differing++;
          found.push(`--- ${name} ${own}: ${outcome}`);
          log(found.at(-1) ?? '');
        }
        if (only !== undefined) break;
      }
      log(`${name}, seed ${seed}: ${cases} cases, ${differing} differ`);
    }
  } finally {
    for (const server of servers) await server.stop();
  }
  return found;
}
