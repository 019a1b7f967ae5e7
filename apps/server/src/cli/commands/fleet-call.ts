/** Admin API requests of `sluice fleet` commands to a fleet member. */
import type { Json } from '@sluice/base';
import { adminAddress, callAdmin } from '../admin-client.ts';

export interface FleetOptions {
  readonly address?: string;
  readonly argument?: string;
}

/** Sends a request to a fleet member and returns its JSON response. Rejects with the member's error. */
export async function askMember({ address }: FleetOptions, method: string, path: string): Promise<Json> {
  return JSON.parse(await callAdmin({ address: adminAddress(address, null), method, path })) as Json;
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
