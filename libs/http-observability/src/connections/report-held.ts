/**
 * Adds the affected connections and requests to dry-run results. They belong to servers and routes that the change keeps, recreates or
 * removes.
 */
import type { RunningServer } from '@sluice/registry';

/** Adds the report to a server's dry runs. The code that creates the report is loaded on first use. */
export function reportHeld(server: RunningServer): void {
  server.hooks.rehearsed.tapPromise('held', async (change) => {
    if (change.before === change.after) return;
    const { heldIn } = await import('./held.ts');
    const held = await heldIn(server, change);
    if (held.length > 0) change.report('held', held, { method: 'GET', path: '/stats' });
  });
}
