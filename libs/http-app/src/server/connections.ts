/** Connection counts of servers. Each traffic thread counts separately, and the control thread collects the counts. */
import type { Context } from '@sluice/registry';
import { question, threadBusToken, type Question } from '@sluice/threads';
import type { Server } from './server.ts';

/** Collects connection counts by server name from all threads. */
export const serverConnections: Question<null, Readonly<Record<string, number>>> = question('http.connections');

/** Reports connection counts to the control thread as long as the servers are active. Called when the app is provisioned. */
export function shareConnections(servers: ReadonlyMap<string, Server>, context: Context): void {
  const bus = context.find(threadBusToken);
  if (bus === undefined) return;
  let end: (() => void) | null = null;
  context.onTakeOver(() => {
    end = bus.onGather(serverConnections, () => connectionsOf(servers));
  });
  context.onRetire(() => end?.());
}

function connectionsOf(servers: ReadonlyMap<string, Server>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...servers].map(([name, { listeners }]) => [
      name,
      listeners.reduce((sum, { connections }) => sum + connections, 0),
    ]),
  );
}
