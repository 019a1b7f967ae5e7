/** Implements `GET /readyz`, a readiness check for load balancers. */
import type { Json } from '@sluice/base';
import type { FleetMembership } from '@sluice/contracts';
import type { AdminResponse } from '@sluice/registry';

/** Responds with status 200 if a configuration is active and the server is not a drained fleet member. Otherwise, responds with status 503. */
export function respondToReady(response: AdminResponse, document: Json, membership: FleetMembership | null): void {
  const isReady = document !== null && (membership?.isReady ?? true);
  response.status(isReady ? 200 : 503).json({ ready: isReady });
}
