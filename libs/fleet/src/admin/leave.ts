/** `POST /fleet/leave`: removes a running server from its fleet. */
import { SluiceError } from '@sluice/base';
import type { FleetSeat } from '@sluice/contracts';
import type { AdminResponse } from '@sluice/registry';

/** Responds when the server has left. Throws an error with status 404 if it is not a fleet member. */
export async function leaveFleet(response: AdminResponse, seat: FleetSeat | undefined): Promise<void> {
  const membership = seat?.membership ?? null;
  if (seat?.leave == null || membership === null)
    throw new SluiceError('ERR_FLEET_NONE', 'this server is not a fleet member', { status: 404 });
  await seat.leave();
  response.json({ member: membership.name, left: true });
}
