/**
 * Makes dry runs of configuration changes report affected connections and requests. These belong to servers and routes that the change
 * keeps, recreates or removes.
 */
import type { RunningServer } from '@sluice/registry';

/** Adds the report to a server's dry runs. The implementation is loaded on first use. */
export function reportHeld(server: RunningServer): void {
  server.hooks.rehearsed.tapPromise('held', async (change) => {
    if (change.before === change.after) return;
    const { heldIn } = await import('./held.ts');
    const held = await heldIn(server, change);
    if (held.length > 0) change.report('held', held, { method: 'GET', path: '/stats' });
  });
}
