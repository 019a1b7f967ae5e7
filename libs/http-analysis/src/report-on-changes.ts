/** Adds the reports of this package to dry runs, and checks the behavior that changes must preserve. */
import type { RunningServer } from '@sluice/registry';

/** Subscribes to the configuration changes of a server. The code of each report is loaded by the first change that needs it. */
export function reportOnChanges(server: RunningServer): void {
  const { rehearsed, prepared } = server.hooks;
  rehearsed.tapPromise('explain', async (change) => {
    if (change.before === change.after || change.comparesBehavior) return;
    await (await import('./explain/report-requests.ts')).reportRequests(server, change);
  });
  rehearsed.tapPromise('behavior', async (change) => {
    if (change.expected === null && !change.comparesBehavior) return;
    await (await import('./behavior/report-behavior.ts')).reportBehavior(server, change);
  });
  rehearsed.tapPromise('shadow', async (change) => {
    if (change.shadow === null) return;
    (await import('./shadow/report-shadow.ts')).reportShadow(server, change);
  });
  prepared.tapPromise('behavior', async ({ effective, apps, expected }) => {
    if (expected === null) return;
    const { checkExpected } = await import('./behavior/report-behavior.ts');
    await checkExpected(server, apps(), effective, expected);
  });
}
