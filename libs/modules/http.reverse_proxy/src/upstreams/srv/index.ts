/** `http.reverse_proxy.upstreams.srv`: uses the targets of SRV records as upstreams. */
import { Resolver, type SrvRecord } from 'node:dns';
import { compileText, timeOption, upstreamSources, type UpstreamSource } from '@sluice/http-app';
import { defineModule, duration, options, string, structure } from '@sluice/registry';
import { joinHostPort } from '@sluice/base';
import { DnsCache } from '../../common/dns-cache.ts';
import { makeResolver, resolverOptions } from '../../common/resolver.ts';

const defaultRefresh = 60_000;

export const srvModule = defineModule(upstreamSources, {
  name: 'srv',
  help: 'Discovers upstreams by looking up SRV records (RFC 2782) of `_service._proto.name`.',
  config: options({
    service: string(
      'Service name, such as `app`. May contain placeholders. If `service` and `proto` are not set, only `name` is looked up.',
    ),
    proto: string('Transport protocol, such as `tcp`. May contain placeholders.'),
    name: string('Domain name to look up. May contain placeholders.'),
    refresh: duration('Time for which lookup results are cached. Default: 1m.'),
    grace_period: duration('Time for which expired lookup results remain in use while lookups fail. Default: 0.'),
    resolver: structure('DNS servers to query for the SRV records.', resolverOptions),
    dial_timeout: duration('Timeout for each DNS query. Default: 5s.'),
    dial_fallback_delay: duration('Accepted but ignored: DNS servers are queried sequentially.'),
    dial_network: string('Network to use for connections to upstreams: tcp, tcp4 or tcp6.'),
  }),
  provision(config, context): UpstreamSource {
    const timeout = timeOption(config.dial_timeout, 0, context, 'dial_timeout');
    const resolver = makeResolver(config.resolver?.addresses, timeout, context) ?? new Resolver();
    const service = compileText(config.service ?? '', 'empty');
    const proto = compileText(config.proto ?? '', 'empty');
    const name = compileText(config.name ?? '', 'empty');
    const network = config.dial_network ? `${config.dial_network}/` : '';
    const refresh = timeOption(config.refresh, defaultRefresh, context, 'refresh');
    const cache = new DnsCache(
      refresh,
      timeOption(config.grace_period, 0, context, 'grace_period'),
      async (question) => {
        const records = await resolveSrv(resolver, question);
        return inOrder(records).map((record) => network + joinHostPort(record.name.replace(/\.$/, ''), record.port));
      },
    );
    return {
      upstreams: (exchange) => {
        const [first, second, domain] = [service.expand(exchange), proto.expand(exchange), name.expand(exchange)];
        return cache.get(first === '' && second === '' ? domain : `_${first}._${second}.${domain}`);
      },
    };
  },
});

function resolveSrv(resolver: Resolver, question: string): Promise<readonly SrvRecord[]> {
  return new Promise((done, reject) =>
    resolver.resolveSrv(question, (error, records) => (error === null ? done(records) : reject(error))),
  );
}

/** Sorts SRV records by priority. Among records with equal priority, those with a higher weight tend to come first. */
function inOrder(records: readonly SrvRecord[]): readonly SrvRecord[] {
  return records
    .map((record) => ({ record, at: Math.random() ** (1 / Math.max(record.weight, 0.01)) }))
    .toSorted((a, b) => a.record.priority - b.record.priority || b.at - a.at)
    .map(({ record }) => record);
}
