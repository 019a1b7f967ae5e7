import { Resolver } from 'node:dns/promises';
import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { problem } from '../../protocol/problem.ts';

export interface ValidationNetwork {
  readonly httpPort: number;
  readonly tlsPort: number;
  /** Timeout for a connection and its response, in milliseconds. */
  readonly timeout: number;
  /** Delays before each retry, in milliseconds. */
  readonly pauses: readonly number[];
  readonly lookup: LookupFunction;
  readonly resolveText: (name: string) => Promise<readonly string[]>;
}

/**
 * Returns network access for validation. `resolvers` lists DNS servers to use instead of the system resolvers, such as `1.1.1.1` or
 * `[::1]:53`.
 */
export function internet(resolvers: readonly string[] = []): ValidationNetwork {
  const resolver = new Resolver({ timeout: 5_000, tries: 2 });
  if (resolvers.length > 0) resolver.setServers(resolvers);
  return {
    httpPort: 80,
    tlsPort: 443,
    timeout: 10_000,
    pauses: [1_000, 3_000, 5_000],
    lookup: resolvers.length > 0 ? lookupWith(resolver) : systemLookup,
    resolveText: async (name) => (await resolver.resolveTxt(name)).map((parts) => parts.join('')),
  };
}

/** Returns a function compatible with `dns.lookup` that uses the given resolver. */
function lookupWith(resolver: Resolver): LookupFunction {
  const find = callbackify((host: string) => addressesOf(resolver, host));
  return (host, options: LookupOptions, callback): void =>
    find(host, (error, found) => {
      const [first] = found ?? [];
      if (error !== null || first === undefined) callback(error, []);
      else if (options.all === true) callback(null, found);
      else callback(null, first.address, first.family);
    });
}

async function addressesOf(resolver: Resolver, host: string): Promise<LookupAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [
    ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 })),
    ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 })),
  ];
  if (found.length > 0) return found;
  throw four.status === 'rejected' ? (four.reason as Error) : new Error(`${host} has no IP address`);
}

const nameErrors: ReadonlySet<string> = new Set([
  'ENOTFOUND',
  'ENODATA',
  'ESERVFAIL',
  'EREFUSED',
  'EAI_AGAIN',
  'ETIMEOUT',
]);

/** Returns the ACME problem for a failed connection. */
export function connectionProblem(what: string, error: NodeJS.ErrnoException): Error {
  const type = nameErrors.has(error.code ?? '') ? 'dns' : 'connection';
  return problem(type, `${what}: ${reasonOf(error)}`);
}

function reasonOf(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map((each: unknown) => (each as Error).message).join(', ');
  return error.message;
}

/** Formats a host name or IP address for use in a URL. */
export function urlHost(name: string): string {
  return isIP(name) === 6 ? `[${name}]` : name;
}
