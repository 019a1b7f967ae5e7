/** Implements `POST /fleet/leave`, which removes a running server from its fleet. */
import { SluiceError } from '@sluice/base';
import type { FleetHandle } from '@sluice/contracts';
import type { AdminResponse } from '@sluice/registry';

/** Sends a response after the server has left the fleet. Throws an error with status 404 if the server is not a fleet member. */
export async function leaveFleet(response: AdminResponse, handle: FleetHandle | undefined): Promise<void> {
  const membership = handle?.membership ?? null;
  if (handle?.leave == null || membership === null)
    throw new SluiceError('ERR_FLEET_NONE', 'this server is not a fleet member', { status: 404 });
  await handle.leave();
  response.json({ member: membership.name, left: true });
}
