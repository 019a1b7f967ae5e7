/** `GET /readyz`: for balancers that ask whether to send clients here. */
import type { Json } from '@sluice/base';
import type { FleetMembership } from '@sluice/contracts';
import type { AdminResponse } from '@sluice/registry';

/** 200 where a configuration is in force, and a member of a fleet is not drained; else 503. */
export function respondToReady(response: AdminResponse, document: Json, membership: FleetMembership | null): void {
  const isReady = document !== null && (membership?.isReady ?? true);
  response.status(isReady ? 200 : 503).json({ ready: isReady });
}
