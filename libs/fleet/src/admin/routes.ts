/** Admin API routes below `/fleet`. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { guarded, pathError, SluiceError, taskOf, type Json } from '@sluice/base';
import type { FleetMembership } from '@sluice/contracts';
import type { AdminRequest, AdminResponse } from '@sluice/registry';
import type { Entry } from '../entry.ts';
import { Membership } from '../membership/membership.ts';
import { timeOf } from '../membership/shown.ts';
import { shownRollout } from '../rollout/shown.ts';
import { fleetEvents } from './events.ts';

type Serve = (request: AdminRequest, response: AdminResponse, membership: FleetMembership | null) => Promise<void>;

/** Path parameters. */
interface Params {
  readonly revision?: string;
  readonly op?: string;
  readonly name?: string;
}

export const fleetRoutes = {
  status: async (_request, response, membership) => {
    response.json(await joined(membership).describe());
  },
  events: async (_request, response, membership) => {
    const fleet = joined(membership);
    const gone = new AbortController();
    response.once(
      'close',
      guarded(taskOf('sluice.fleet'), () => gone.abort()),
    );
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    const events = Readable.from(fleetEvents(fleet, gone.signal), { objectMode: true, highWaterMark: 1 });
    await pipeline(events, response);
  },
  history: async (request, response, membership) => {
    const before = request.query['before'];
    const entries = await joined(membership).history(before === undefined ? undefined : numberOf(String(before)));
    response.json(entries.map(shown));
  },
  revision: async (request, response, membership) => {
    const { entry, document } = await joined(membership).at(revisionOf(request));
    response.json({ ...shown(entry), document });
  },
  apply: async (request, response, membership) => {
    const fleet = joined(membership);
    const { path } = request;
    await fleet.rollBack(revisionOf(request), { origin: `POST ${path}`, by: request.by });
    response.set('Sluice-Revision', String(fleet.revision)).json({ revision: fleet.revision });
  },
  confirm: async (_request, response, membership) => {
    const fleet = joined(membership);
    await fleet.confirm();
    response.set('Sluice-Revision', String(fleet.revision)).json({ revision: fleet.revision });
  },
  operation: async (request, response, membership) => {
    const { op = '' } = request.params as Params;
    const revision = await joined(membership).find(op);
    if (revision === null) throw pathError(`the fleet log has no change with operation ID ${JSON.stringify(op)}`, 404);
    response.json({ op, revision });
  },
  adopt: async (request, response, membership) => {
    const fleet = joined(membership);
    const rehearsed = request.query['dry_run'];
    if (rehearsed !== undefined && rehearsed !== 'false' && rehearsed !== '0') {
      const { operations, isFounding, ...revisions } = await fleet.adoption();
      response.json({ ...revisions, founds: isFounding, operations });
      return;
    }
    await fleet.adopt();
    response.json({ revision: fleet.revision });
  },
  retry: async (_request, response, membership) => {
    const fleet = joined(membership);
    await fleet.retry();
    response.json(await fleet.describe());
  },
  rollout: async (_request, response, membership) => {
    const rollout = await joined(membership).rollouts.read();
    if (rollout === null) throw pathError('this fleet has had no rollout yet', 404);
    response.json(shownRollout(rollout));
  },
  pauseRollout: (request, response, membership) => orderRollout(request, response, joined(membership), 'pause'),
  resumeRollout: (request, response, membership) => orderRollout(request, response, joined(membership), 'resume'),
  abortRollout: (request, response, membership) => orderRollout(request, response, joined(membership), 'abort'),
  drain: (request, response, membership) => order(request, response, joined(membership), true),
  undrain: (request, response, membership) => order(request, response, joined(membership), false),
} satisfies Readonly<Record<string, Serve>>;

export type FleetRoute = keyof typeof fleetRoutes;

async function order(request: AdminRequest, response: AdminResponse, fleet: Membership, on: boolean): Promise<void> {
  const { name = '' } = request.params as Params;
  await fleet.drain(name, on);
  response.json({ member: name, drained: on });
}

async function orderRollout(
  { by }: AdminRequest,
  response: AdminResponse,
  { rollouts, name }: Membership,
  what: 'pause' | 'resume' | 'abort',
): Promise<void> {
  response.status(202).json(shownRollout(await rollouts[what](by === null ? name : `${name} ${by}`)));
}

function joined(membership: FleetMembership | null): Membership {
  if (membership instanceof Membership) return membership;
  const message = 'this server is not a fleet member; configure admin.fleet, or start it with sluice run --fleet';
  throw new SluiceError('ERR_FLEET_NONE', message, { status: 404 });
}

function shown({ rev, when, who, op, patch, confirm }: Entry): { readonly [key: string]: Json } {
  return {
    revision: rev,
    time: timeOf(when),
    by: who,
    op,
    ...(confirm === undefined ? {} : { confirm: { ...confirm } }),
    patch,
  };
}

function revisionOf(request: AdminRequest): number {
  return numberOf((request.params as Params).revision ?? '');
}

function numberOf(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw pathError(`${JSON.stringify(text)} is not a revision number`, 404);
  return Number(text);
}
