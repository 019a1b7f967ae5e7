/** Makes dry runs report connections and requests of servers and routes that a change keeps, recreates or removes. */
import type { RunningServer } from '@sluice/registry';

/** Taps the dry runs of a server. The implementation is loaded on first use. */
export function reportHeld(server: RunningServer): void {
  server.hooks.rehearsed.tapPromise('held', async (change) => {
    if (change.before === change.after) return;
    const { heldIn } = await import('./held.ts');
    const held = await heldIn(server, change);
    if (held.length > 0) change.report('held', held, { method: 'GET', path: '/stats' });
  });
}
