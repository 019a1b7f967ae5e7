/** Listeners and limits of all servers, for `GET /stats/listeners`. */
import { formatNetworkAddress } from '@sluice/base';
import { httpApp, serverConnections } from '@sluice/http-app';
import { threadBusToken } from '@sluice/threads';
import type { RunningServer } from '@sluice/registry';

/** A server with its listeners and limits. Times are in milliseconds; 0 means no limit. */
interface ServerListeners {
  readonly server: string;
  readonly listen: readonly string[];
  readonly protocols: readonly string[];
  readonly tls: boolean;
  readonly connections: number;
  readonly limits: Readonly<Record<string, number>>;
}

export async function readListeners(server: RunningServer): Promise<readonly ServerListeners[]> {
  const servers = server.app(httpApp)?.servers ?? new Map<string, never>();
  const counts = (await server.service(threadBusToken)?.gather(serverConnections, null)) ?? [];
  return [...servers].map(([name, { limits, networkAddresses, protocols, security }]) => ({
    server: name,
    listen: networkAddresses.map(formatNetworkAddress),
    protocols,
    tls: security.termination !== null,
    connections: counts.reduce((sum, count) => sum + (count[name] ?? 0), 0),
    limits: {
      read_timeout: limits.readTimeout,
      read_header_timeout: limits.readHeaderTimeout,
      read_idle_timeout: limits.readPace.timeout,
      write_timeout: limits.writeTimeout,
      write_idle_timeout: limits.writePace.timeout,
      idle_timeout: limits.idleTimeout,
      max_header_bytes: limits.maxHeaderBytes,
    },
  }));
}
