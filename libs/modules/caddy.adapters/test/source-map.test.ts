import { expect } from 'chai';
import { isArray, isObject, parseWhere, type Json } from '@sluice/base';
import { formatPlace, type ConfigSources } from '@sluice/contracts';
import { adaptConfig } from '@sluice/reconciler';
import { standardRegistry } from './standard-registry.ts';

const registry = standardRegistry();

async function placesIn(text: string): Promise<(where: string) => string> {
  const { sources } = await adaptConfig(registry, 'caddyfile', text);
  return (where) => {
    const place = (sources as ConfigSources).placeOf(parseWhere(where) ?? []);
    return place === null ? '' : `${formatPlace(place)}:${place.column}`;
  };
}

const routes = 'apps.http.servers.srv0.routes';

describe('source positions of an adapted Caddyfile', () => {
  it('the sources of adapted values are the lines of the corresponding directives and options', async () => {
    const placeOf = await placesIn(`{
	http_port 8080
	servers {
		max_header_size 5MB
	}
	log {
		level WARN
	}
}

http://a.example {
	@api {
		path /api/*
		method GET
	}
	reverse_proxy @api localhost:9001 {
		health_uri /health
		health_interval 5s
		lb_policy cookie name
		transport http {
			dial_timeout 3s
		}
	}
	respond /x "hi" 201
}
`);
    const handlers = `${routes}[0].handle[0].routes`;
    expect(placeOf('apps.http.http_port')).to.equal('Caddyfile:2:12');
    expect(placeOf('apps.http.servers.srv0.max_header_bytes')).to.equal('Caddyfile:4:3');
    expect(placeOf('logging.logs.default.level')).to.equal('Caddyfile:7:9');
    expect(placeOf(`${routes}[0].match[0].host[0]`)).to.equal('Caddyfile:11:1');
    const at = (which: string): string => placeOf(`${handlers}${which}`);
    const [respond, proxy] = at('[0].handle[0]').startsWith('Caddyfile:16') ? [1, 0] : [0, 1];
    expect(at(`[${proxy}].match[0].path[0]`)).to.equal('Caddyfile:13:8');
    expect(at(`[${proxy}].match[0].method[0]`)).to.equal('Caddyfile:14:10');
    expect(at(`[${proxy}].handle[0]`)).to.equal('Caddyfile:16:2');
    expect(at(`[${proxy}].handle[0].upstreams[0].dial`)).to.equal('Caddyfile:16:21');
    expect(at(`[${proxy}].handle[0].health_checks.active.uri`)).to.equal('Caddyfile:17:14');
    expect(at(`[${proxy}].handle[0].health_checks.active.interval`)).to.equal('Caddyfile:18:3');
    expect(at(`[${proxy}].handle[0].load_balancing.selection_policy`)).to.contain('Caddyfile:19:');
    expect(at(`[${proxy}].handle[0].transport.dial_timeout`)).to.equal('Caddyfile:21:4');
    expect(at(`[${respond}].handle[0].status_code`)).to.equal('Caddyfile:24:18');
    expect(at(`[${respond}].handle[0].no_such_field`)).to.equal('Caddyfile:24:2');
  });

  it('the sources of values from snippets include the importing line', async () => {
    const placeOf = await placesIn(`(greet) {
	respond {args[0]}
}

:80 {
	import greet hello
}

:81 {
	import greet bye
}
`);
    expect(placeOf(`${routes}[0].handle[0].body`)).to.equal('Caddyfile:2, imported in Caddyfile:6:10');
    expect(placeOf('apps.http.servers.srv1.routes[0].handle[0].body')).to.equal(
      'Caddyfile:2, imported in Caddyfile:10:10',
    );
  });

  it('the sources of the TLS settings of a site are the site address and its tls directives', async () => {
    const placeOf = await placesIn(`a.example {
	respond a
}

b.example {
	tls internal
	tls {
		protocols tls1.3
	}
}
`);
    expect(placeOf('apps.tls.automation.policies[1].subjects[0]')).to.equal('Caddyfile:5:1');
    expect(placeOf('apps.tls.automation.policies[1].issuers[0].module')).to.equal('Caddyfile:6:6');
    expect(placeOf('apps.http.servers.srv0.tls_connection_policies[0].protocol_min')).to.equal('Caddyfile:8:13');
  });

  it('adapters record a source for every adapted value', async () => {
    const { config, sources } = await adaptConfig(
      registry,
      'caddyfile',
      '{\n\tdebug\n}\n\na.b.example {\n\tencode\n}\n',
    );
    const walk = (value: Json, path: string[]): void => {
      expect((sources as ConfigSources).placeOf(path), path.join('/')).to.not.equal(null);
      if (isArray(value)) value.forEach((item, at) => walk(item, [...path, String(at)]));
      else if (isObject(value)) for (const [key, item] of Object.entries(value)) walk(item, [...path, key]);
    };
    walk(config, []);
  });
});
