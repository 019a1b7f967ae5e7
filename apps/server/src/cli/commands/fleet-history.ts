/** `sluice fleet history` and `sluice fleet diff`: show configuration changes with their time and author. */
import type { Json } from '@sluice/base';
import { CommandError } from '../../failure.ts';
import { askMember, print, type FleetOptions } from './fleet-call.ts';

interface Change {
  readonly revision: number;
  readonly time: string;
  readonly by: string;
  readonly patch: readonly { readonly op: string; readonly path: string; readonly value?: Json }[];
}

/** Maximum length of a displayed value. */
const shownLength = 100;

/** Lists recent configuration changes, newest first. */
export async function fleetHistory(options: FleetOptions): Promise<number> {
  for (const { revision, time, by, patch } of await changes(options)) {
    const [first] = patch;
    const more = patch.length > 1 ? ` and ${patch.length - 1} more` : '';
    print(
      `${revision}  ${time}  ${by}  ${first === undefined ? 'a confirmation' : `${first.op} ${first.path || '/'}${more}`}`,
    );
  }
  return 0;
}

/** Prints the changes of one configuration revision. */
export async function fleetDiff(options: FleetOptions): Promise<number> {
  const all = await changes(options);
  const wanted =
    options.argument === undefined ? all[0] : all.find(({ revision }) => String(revision) === options.argument);
  if (wanted === undefined)
    throw new CommandError(`revision ${options.argument ?? ''} is not in the recent history of the fleet`);
  print(`revision ${wanted.revision}, ${wanted.time}, by ${wanted.by}`);
  for (const { op, path, value } of wanted.patch) {
    const sign = { add: '+', remove: '-', replace: '~' }[op] ?? op;
    print(`${sign} ${path || '/'}${value === undefined ? '' : ` ${shortened(JSON.stringify(value))}`}`);
  }
  return 0;
}

async function changes(options: FleetOptions): Promise<readonly Change[]> {
  // The response comes from a route of the same server version, so validation is unnecessary.
  const listed: readonly object[] = Object.values((await askMember(options, 'GET', '/fleet/history')) ?? []);
  return listed as readonly Change[];
}

function shortened(text: string): string {
  return text.length <= shownLength ? text : `${text.slice(0, shownLength)}…`;
}
