/** Selects the access logs for the requests of a server. */
import type { Json } from '@sluice/base';
import { pushTo } from '../collections.ts';
import { asJson, compact } from '../json.ts';
import type { NamedLog } from './log-values.ts';
import type { Site } from './site.ts';

/** The `logs` section of a server under construction. */
export class ServerLogs {
  #defaultName = '';
  readonly #namesByHost = new Map<string, string[]>();
  readonly #skipped: string[] = [];
  #skipUnmapped = false;

  /** Adds the `log` directives of a site. Requests to a site without a `log` directive are not logged. */
  addSite(site: Site): void {
    const logs = site.pile<NamedLog>('custom_log');
    for (const { name, hostnames, noHostname } of logs) {
      if (noHostname) continue;
      if (site.hasCatchAll && hostnames.length === 0) this.#defaultName = name;
      else if (hostnames.length > 0) for (const host of hostnames) pushTo(this.#namesByHost, host, name);
      else for (const host of site.logHosts()) pushTo(this.#namesByHost, withoutPort(host), name);
    }
    if (logs.length > 0) return;
    if (site.hasCatchAll) this.#skipUnmapped = true;
    this.#skipped.push(...site.logHosts());
  }

  /** Returns the `logs` section as native JSON. */
  json(): Record<string, Json> {
    const hosts = [...this.#namesByHost].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      ...compact({
        default_logger_name: this.#defaultName,
        logger_names: asJson(Object.fromEntries(hosts)),
        skip_hosts: this.#skipped.sort(),
        skip_unmapped_hosts: this.#skipUnmapped,
      }),
    };
  }
}

function withoutPort(host: string): string {
  const match = /^(?:\[([^\]]*)\]|([^:]*)):\d+$/.exec(host);
  return match === null ? host : (match[1] ?? match[2] ?? '');
}
