/** A fleet of servers on the local machine, with its initial document. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemberProcess } from './member-process.ts';

/** Members of the fleet, and their shared state. */
export interface Fleet {
  readonly members: readonly MemberProcess[];
  readonly folder: string;
  stop(): Promise<void>;
}

export interface FleetPlan {
  readonly command: readonly string[];
  readonly members: number;
  /** Returns the address at which a member connects to the store. */
  address(member: string): string;
  /** Returns environment variables for a member's process. */
  env?(member: string): Readonly<Record<string, string>>;
  /** Initial document, without the members' own parts. */
  readonly document: FleetDocument;
}

/** A fleet document with an HTTP server named `s`. */
export interface FleetDocument {
  readonly routes: readonly unknown[];
  /** Other parts of the document. */
  readonly beside?: Readonly<Record<string, unknown>>;
}

/** Starts the members. The first one creates the fleet, and the others join it. */
export async function startFleet({
  command,
  members: count,
  address,
  env = () => ({}),
  document,
}: FleetPlan): Promise<Fleet> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-fleet-'));
  const members: MemberProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const member of members) await member.kill();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    for (let i = 0; i < count; i++) {
      const name = `m${i}`;
      members.push(await MemberProcess.make({ name, command, address: address(name), folder, env: env(name) }));
    }
    await members[0]?.run(withOverlays(members, document));
    await Promise.all(members.slice(1).map((member) => member.run()));
    return { members, folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns a route that responds with a fixed body. */
export function says(body: string, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { ...more, handle: [{ handler: 'static_response', body }] };
}

/**
 * Returns the document with an overlay for each member. Overlays give each member its own addresses, because all members run on one
 * machine.
 */
function withOverlays(members: readonly MemberProcess[], { routes, beside = {} }: FleetDocument): unknown {
  const overlays = members.map(({ name, adminPort, httpPort }) => ({
    members: [name],
    merge: {
      admin: { listen: `127.0.0.1:${adminPort}` },
      apps: { http: { servers: { s: { listen: [`127.0.0.1:${httpPort}`] } } } },
    },
  }));
  const s = { listen: [':1'], automatic_https: { disable: true }, routes };
  return { admin: { fleet: { overlays } }, apps: { http: { servers: { s } } }, ...beside };
}
