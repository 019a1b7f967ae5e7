/** Requests of `sluice fleet` to a member. */
import type { Json } from '@sluice/base';
import { adminAddress, callAdmin } from '../admin-client.ts';

/** Options of all commands of a fleet. */
export interface FleetOptions {
  readonly address?: string;
  readonly argument?: string;
}

/** Asks a member; gives the JSON of the response. An error where it refuses. */
export async function askMember({ address }: FleetOptions, method: string, path: string): Promise<Json> {
  return JSON.parse(await callAdmin({ address: adminAddress(address, null), method, path })) as Json;
}

/** Prints a line. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
