/** `sluice reverse-proxy`: forwards requests to upstreams. */
import { reverseProxyConfig, type ReverseProxyOptions } from '../quick/reverse-proxy-config.ts';
import { serveQuickly, type WorkerOption } from '../quick/serve-quickly.ts';

/** Serves until a shutdown is requested. */
export function reverseProxy(options: ReverseProxyOptions & WorkerOption): Promise<number> {
  return serveQuickly(reverseProxyConfig(options), options);
}
