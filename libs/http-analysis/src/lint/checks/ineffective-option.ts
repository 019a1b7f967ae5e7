/** Lint check SL057. */
import { isArray, isObject, own, type Json } from '@sluice/base';
import { caddyfile, defineLint } from '@sluice/registry';
import { getAt } from '@sluice/reconciler';

export const ineffectiveOption = defineLint({
  code: 'SL057',
  name: 'ineffective-option',
  severity: 'warning',
  summary: 'An option has no effect, because the option that enables it is not set.',
  details: `Passive health checks count failures only if \`fail_duration\` is set, and a retry interval has an effect only if retries are enabled (\`lb_try_duration\` or \`lb_retries\`). Active health checks require \`health_uri\` or \`health_port\`. TLS 1.3 has its own cipher suites, so a list of TLS 1.2 suites does not affect it.`,
  bad: caddyfile(`:8080 {
	reverse_proxy 127.0.0.1:9001 127.0.0.1:9002 {
		health_uri /health
		max_fails 3
	}
}
`),
  good: caddyfile(`:8080 {
	reverse_proxy 127.0.0.1:9001 127.0.0.1:9002 {
		health_uri /health
		fail_duration 30s
		max_fails 3
	}
}
`),
  check(configuration, report) {
    for (const module of configuration.modulesOf('http.handlers.reverse_proxy')) {
      for (const { at, options, needs, advice } of switches) {
        const section = getAt(module.node, at);
        if (!isObject(section) || needs.some((each) => isOn(own(section, each)))) continue;
        for (const option of options)
          if (isOn(own(section, option)))
            report([...module.path, ...at, option], `has no effect without ${needs.join(' or ')}: ${advice}`);
      }
    }
    const servers = ['apps', 'http', 'servers'];
    const named = configuration.valueAt(servers);
    for (const [name, server] of isObject(named) ? Object.entries(named) : []) {
      const policies = isObject(server) ? own(server, 'tls_connection_policies') : undefined;
      for (const [index, policy] of (isArray(policies) ? policies : []).entries())
        if (isObject(policy) && own(policy, 'protocol_min') === 'tls1.3' && isOn(own(policy, 'cipher_suites')))
          report(
            [...servers, name, 'tls_connection_policies', String(index), 'cipher_suites'],
            'has no effect, because TLS 1.3 cipher suites are fixed: remove it, or allow tls1.2',
          );
    }
  },
});

interface Switch {
  readonly at: readonly string[];
  readonly options: readonly string[];
  /** Settings that enable the option. Any one of them is sufficient. */
  readonly needs: readonly string[];
  readonly advice: string;
}

const switches: readonly Switch[] = [
  {
    at: ['health_checks', 'passive'],
    options: ['max_fails', 'unhealthy_status', 'unhealthy_latency'],
    needs: ['fail_duration'],
    advice: 'set how long failed requests count against the upstream, or remove this option',
  },
  {
    at: ['load_balancing'],
    options: ['try_interval', 'retry_match'],
    needs: ['try_duration', 'retries'],
    advice: 'set how long or how often to retry, or remove this option',
  },
];

/** Reports whether an option has a value other than "off". */
function isOn(value: Json | undefined): boolean {
  if (isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== '' && value !== 0 && value !== '0' && value !== '0s';
}
