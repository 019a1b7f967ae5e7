/** Traffic: the live map, explanations of requests, traces, rate limits, and firewalls. */
import { calls } from '../../api/calls.ts';
import { Empty, Heading } from '../../parts/basic.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { adjust, place } from '../../state/location.ts';
import { has } from '../../state/server.ts';
import { statsProblem, total } from '../../state/stats.ts';
import { Explain } from './explain.tsx';
import { Live } from './live.tsx';
import { RateLimits } from './rate-limits.tsx';
import { Firewalls } from './firewalls.tsx';
import { Sample } from './sample.tsx';
import { Traces } from './traces.tsx';

export function Traffic() {
  const { tab = 'live' } = place.value.values;
  return (
    <>
      <Heading title="Traffic" />
      <Tabs
        label="Traffic"
        tabs={{
          live: 'Live',
          explain: 'Explain',
          traces: 'Traces',
          sample: 'Sample',
          limits: 'Rate limits',
          firewall: 'Firewall',
        }}
        selected={tab}
        onSelect={(next) => adjust({ tab: next })}
      />
      {tab === 'live' && statsProblem.value !== null && <Empty>{statsProblem.value}</Empty>}
      {tab === 'live' && (statsProblem.value === null || total.value !== null) && <Live />}
      {tab === 'explain' &&
        (has(calls.explain) ? (
          <Explain />
        ) : (
          <Empty>This server cannot explain requests: it has no /explain endpoint.</Empty>
        ))}
      {tab === 'traces' &&
        (has(calls.record) ? (
          <Traces />
        ) : (
          <Empty>This server does not record traces: it has no /traces endpoint.</Empty>
        ))}
      {tab === 'sample' &&
        (has(calls.samples) ? (
          <Sample />
        ) : (
          <Empty>This server does not record requests: it has no /samples endpoint.</Empty>
        ))}
      {tab === 'limits' &&
        (has(calls.rateLimits) ? (
          <RateLimits />
        ) : (
          <Empty>This server does not support rate limits: it has no /rate_limits endpoint.</Empty>
        ))}
      {tab === 'firewall' &&
        (has(calls.waf) ? (
          <Firewalls />
        ) : (
          <Empty>This server has no web application firewall: it has no /waf endpoint.</Empty>
        ))}
    </>
  );
}
