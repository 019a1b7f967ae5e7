/** Has dry runs tell what the servers and routes hold that a change keeps, makes again, or drops. */
import type { RunningServer } from '@sluice/registry';

/** Taps the dry runs of a server. What looks at its traffic is loaded by the first of them. */
export function tellOfHeld(server: RunningServer): void {
  server.hooks.rehearsed.tapPromise('held', async (change) => {
    if (change.before === change.after) return;
    const { heldIn } = await import('./held.ts');
    const held = await heldIn(server, change);
    if (held.length > 0) change.tell('held', held, { method: 'GET', path: '/stats' });
  });
}
