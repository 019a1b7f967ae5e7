import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { asCaddyfile, fromCaddyfile } from '@sluice/testing';

const everything = `{
	cache {
		memory 128MiB
		disk {
			path /var/cache/sluice
			size 10GiB
		}
	}
}

:80 {
	rewrite /old /new
	cache /api/* {
		allowed_http_verbs GET HEAD
		allowed_additional_status_codes 403 500
		cache_keys {
			\\.css$ {
				disable_query
			}
		}
		cache_name Front
		default_cache_control "public, max-age=60"
		disable_coalescing
		headers X-Tenant
		key {
			disable_host
			hash
			headers Accept
		}
		max_cacheable_body_bytes 1000000
		mode bypass_request
		regex {
			exclude ^/private
		}
		stale 1h
		targeted CDN-Cache-Control Sluice-Cache-Control
		timeout {
			backend 10s
			cache 100ms
		}
		ttl 5m
	}
	respond hi
}
`;

interface Adapted {
  readonly apps: {
    readonly cache?: Json;
    readonly http: { readonly servers: { readonly srv0: { readonly routes: readonly { handle: Json[] }[] } } };
  };
}

describe('cache directive and global option', () => {
  it('the cache directive sets every option, and precedes rewrite', async () => {
    const { apps } = (await fromCaddyfile(everything)) as unknown as Adapted;
    expect(apps.cache).to.deep.equal({
      memory: 128 * 1024 * 1024,
      disk: { path: '/var/cache/sluice', size: 10 * 1024 ** 3 },
    });
    expect(apps.http.servers.srv0.routes[0]?.handle[0]).to.deep.equal({
      handler: 'cache',
      allowed_http_verbs: ['GET', 'HEAD'],
      allowed_additional_status_codes: [403, 500],
      cache_keys: { '\\.css$': { disable_query: true } },
      cache_name: 'Front',
      default_cache_control: 'public, max-age=60',
      disable_coalescing: true,
      headers: ['X-Tenant'],
      key: { disable_host: true, hash: true, headers: ['Accept'] },
      max_cacheable_body_bytes: 1_000_000,
      mode: 'bypass_request',
      regex: { exclude: '^/private' },
      stale: 3_600_000_000_000,
      targeted: ['CDN-Cache-Control', 'Sluice-Cache-Control'],
      timeout: { backend: 10_000_000_000, cache: 100_000_000 },
      ttl: 300_000_000_000,
    });
    expect(JSON.stringify(apps.http.servers.srv0.routes[1])).to.contain('rewrite');
  });

  it('the JSON that the cache directive creates is converted back to the directive', async () => {
    const document = await fromCaddyfile(everything);
    const { text, ...rest } = await asCaddyfile(document);
    expect(await fromCaddyfile(text), JSON.stringify(rest)).to.deep.equal(document);
  });

  it('the cache directive does not require options', async () => {
    const { apps } = (await fromCaddyfile('{\n\tcache\n}\n:80 {\n\tcache\n\trespond hi\n}\n')) as unknown as Adapted;
    expect(apps.cache).to.deep.equal({});
    expect(apps.http.servers.srv0.routes[0]?.handle[0]).to.deep.equal({ handler: 'cache' });
  });

  it('the cache directive rejects unknown options and invalid statuses', async () => {
    const errorOf = (line: string): Promise<string> =>
      fromCaddyfile(`:80\ncache {\n${line}\n}\n`).then(
        () => expect.fail('accepted it'),
        ({ message }: Error) => message,
      );
    expect(await errorOf('tll 5m')).to.contain("unrecognized cache subdirective 'tll'");
    expect(await errorOf('allowed_additional_status_codes 99')).to.contain("'99' is not a status code from 200 to 599");
  });
});
