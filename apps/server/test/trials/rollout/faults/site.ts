/** A typical configuration of several sites. The wrong changes edit this configuration. */
import type { Ports } from './upstreams.ts';

/** Files of the static site. */
export const files: Readonly<Record<string, string>> = {
  'site/index.html': '<h1>Shop</h1>',
  'site/app.js': `const items = [${'"item", '.repeat(400)}];`,
  'site/offers/summer.html': '<h1>Summer</h1>',
  'site/docs/index.html': '<h1>Docs</h1>',
  'site/docs/readme.txt': 'Read me.',
  'old/index.html': '<h1>Shop of last year</h1>',
};

/** bcrypt hash of the password `secret`, with a low cost factor. */
const hash = '$2a$04$x/98pbitI5Be4mHQiJ4RrONrX.BKgiGt3hcB/AXFfMlnJ9Qpej3oS';

/** bcrypt hash of a password, with the default cost factor. */
const strong = '$2a$14$P4To6ehZzcXI90rhrLf2Gu5/I4rNGDmCn1T80yZxRvDX73sj5qqhy';

/** Values for placeholders such as `{MAIN}` in the configuration and its edits. */
export interface Place {
  readonly http: number;
  readonly https: number;
  readonly admin: number;
  /** A port where nothing listens. */
  readonly free: number;
  readonly folder: string;
  readonly ports: Ports;
}

export function filledIn(text: string, { http, https, admin, free, folder, ports }: Place): string {
  const values: Record<string, string> = {
    HTTP: `${http}`,
    HTTPS: `${https}`,
    ADMIN: `${admin}`,
    FREE: `${free}`,
    DIR: folder,
    HASH: hash,
    STRONG: strong,
  };
  for (const [name, port] of Object.entries(ports)) values[name.toUpperCase()] = `127.0.0.1:${port}`;
  return text.replaceAll(/<([A-Z]+)>/g, (whole, name: string) => values[name] ?? whole);
}

/** Configuration template. `<NAME>` stands for a port, an address or a path. */
export const site = `{
	admin 127.0.0.1:<ADMIN>
	auto_https off
	order rate_limit before basic_auth
	servers {
		trusted_proxies static 127.0.0.0/8
	}
}

http://shop.test:<HTTP> {
	encode gzip
	header Strict-Transport-Security "max-age=31536000"
	redir /sale /offers/summer.html 302
	basic_auth /admin/* {
		ada <HASH>
	}
	handle /api/* {
		reverse_proxy <MAIN> <REPLICA> {
			header_up X-Client web
			header_down -X-Internal
			lb_retries 1
			health_uri /healthz
			health_interval 500ms
			transport http {
				response_header_timeout 5s
				dial_timeout 1s
			}
		}
	}
	handle_path /catalog/* {
		rewrite * /v2{uri}
		reverse_proxy <CATALOG>
	}
	handle /upload/* {
		request_body {
			max_size 1MB
		}
		reverse_proxy <MAIN> {
			header_up X-Client web
		}
	}
	handle /search {
		rate_limit {
			zone search {
				key {client_ip}
				events 100000
				window 10s
			}
		}
		reverse_proxy <MAIN> {
			header_up X-Client web
		}
	}
	handle /admin/* {
		reverse_proxy <BACK>
	}
	handle /account/* {
		@anonymous not header Cookie *sid=*
		redir @anonymous /login 302
		reverse_proxy <MAIN> {
			header_up X-Client web
			header_up X-Tenant shop
		}
	}
	handle /login {
		reverse_proxy <MAIN> {
			header_up X-Client web
		}
	}
	handle {
		root * <DIR>/site
		@assets path *.js *.css
		header @assets Cache-Control "public, max-age=3600"
		try_files {path} {path}/ /index.html
		file_server
	}
}

http://www.shop.test:<HTTP> {
	redir http://shop.test:<HTTP>{uri} permanent
}

http://api.test:<HTTP> {
	@preflight method OPTIONS
	handle @preflight {
		header Access-Control-Allow-Methods "GET, PUT"
		header Access-Control-Allow-Origin https://front.test
		respond 204
	}
	handle /v1/* {
		header Access-Control-Allow-Origin https://front.test
		uri strip_prefix /v1
		reverse_proxy <MAIN> {
			header_up X-Client api
		}
	}
	@version path_regexp version ^/v([2-9])/
	handle @version {
		reverse_proxy <BACK> {
			header_up X-Version {re.version.1}
		}
	}
	handle /feed {
		cache {
			ttl 2s
		}
		reverse_proxy <CATALOG>
	}
	handle_errors 404 {
		respond "no such page" 404
	}
	handle {
		error 404
	}
}

http://app.test:<HTTP> {
	@internal {
		path /internal/*
		not client_ip 10.1.0.0/16
	}
	handle @internal {
		respond "forbidden" 403
	}
	handle /internal/* {
		reverse_proxy <BACK>
	}
	handle /reports/* {
		reverse_proxy <BACK> {
			transport http {
				response_header_timeout 3s
			}
		}
	}
	handle {
		reverse_proxy <BACK> {
			lb_retries 1
			lb_retry_match path *
		}
	}
}

https://secure.test:<HTTPS> {
	tls <DIR>/secure.test.crt <DIR>/secure.test.key
	header Strict-Transport-Security "max-age=31536000"
	reverse_proxy <BACK>
}
`;
