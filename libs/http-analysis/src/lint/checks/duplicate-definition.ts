/** Lint check SL040. */
import { idKey, isArray, isObject, own, parseNetworkAddress, type ConfigPath, type Json } from '@sluice/base';
import { defineLint, finder, nativeJson, type Report } from '@sluice/registry';
import { listenOf } from '../addresses.ts';
import { serversOf } from '../servers.ts';

const example = (one: string, other: string): object => ({
  apps: {
    http: {
      servers: {
        one: { listen: [one], routes: [{ handle: [{ handler: 'static_response', body: 'one' }] }] },
        other: { listen: [other], routes: [{ handle: [{ handler: 'static_response', body: 'other' }] }] },
      },
    },
  },
});

export const duplicateDefinition = defineLint({
  code: 'SL040',
  name: 'duplicate-definition',
  severity: 'error',
  summary: 'An object key, an `@id` or a server address is defined twice.',
  details: `If a key occurs twice, the last value applies, and the first one is silently ignored. A configuration with a duplicate \`@id\`, or with two servers on the same address, does not load: an address belongs to one server, whose routes distinguish hosts.`,
  bad: nativeJson(example(':8080', ':8080')),
  good: nativeJson(example(':8080', ':8081')),
  async check(configuration, report) {
    const addresses = new Map<string, ConfigPath>();
    for (const server of await serversOf(configuration)) {
      for (const [index, address] of listenOf(server).entries()) {
        const path = [...server.path, 'listen', String(index)];
        const key = normal(address);
        const first = addresses.get(key);
        if (first === undefined) addresses.set(key, path);
        else
          report(path, `another server already listens on ${address}: merge the routes of both into one server`, {
            related: [{ path: first, message: 'the other server listens here' }],
          });
      }
    }
    reportIds(configuration.document, [], new Map(), report);
  },
});

/** Returns an address in normalized form. */
function normal(address: string): string {
  try {
    return JSON.stringify(parseNetworkAddress(address));
  } catch {
    return address;
  }
}

const hasIds = finder((node) => isObject(node) && own(node, idKey) !== undefined);

function reportIds(node: Json, path: ConfigPath, ids: Map<string, ConfigPath>, report: Report): void {
  if (!hasIds(node)) return;
  if (isArray(node)) for (const [index, item] of node.entries()) reportIds(item, [...path, String(index)], ids, report);
  if (!isObject(node)) return;
  for (const [key, value] of Object.entries(node)) {
    if (key !== idKey) reportIds(value, [...path, key], ids, report);
    else if (typeof value === 'string' || typeof value === 'number') {
      const first = ids.get(String(value));
      if (first === undefined) ids.set(String(value), path);
      else
        report(path, `duplicate @id ${JSON.stringify(value)}: give this object a different @id`, {
          related: [{ path: first, message: 'the first object with this @id' }],
        });
    }
  }
}
