/** Runtime for commands that don't run a server. */
import { allocateSharedCells, ControlBus, SharedCells } from '@sluice/threads';
import { createLogger, ListenSockets, type LogSink } from '@sluice/base';
import { datagramRoutes } from '@sluice/http-app';
import { identityProvision } from '@sluice/contracts';
import { Runtime } from '@sluice/reconciler';
import { LogRouter } from '@sluice/telemetry';
import type { Registry, Roles, Token } from '@sluice/registry';
import { provisionIdentity } from '../identity.ts';
import { threadServices } from '../thread-services.ts';

export type Services = ReadonlyMap<Token<unknown>, unknown>;

/** Any key is sufficient, because this runtime never receives datagrams. */
const nothingSecret = new Uint8Array(32);
const none: Services = new Map();

/** Creates the runtime. It provides the control thread's services and the services in `further`. */
export function detachedRuntime(registry: Registry, sink: LogSink, roles: Roles, further: Services = none): Runtime {
  const router = new LogRouter(sink);
  const log = createLogger(router);
  const cells = new SharedCells(allocateSharedCells({ threads: 1 }), 0);
  const services = new Map<Token<unknown>, unknown>([
    ...threadServices({
      bus: new ControlBus(log),
      cells,
      tally: null,
      router,
      log,
      reusePort: false,
      sockets: new ListenSockets(),
      routes: datagramRoutes([], nothingSecret),
    }),
    [identityProvision, provisionIdentity],
    ...further,
  ]);
  return new Runtime({ registry, roles, log, services, check: true });
}
