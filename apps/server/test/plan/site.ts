export interface Place {
  readonly http: number;
  readonly https: number;
  /** Directory that contains the files listed in {@link files}. */
  readonly root: string;
}

/** Files that the static sites serve. */
export const files: Readonly<Record<string, string>> = {
  'index.html': '<h1>Home</h1>',
  'index.php': '<?php',
  'wp-login.php': '<?php // log in',
  'app.js': 'let a = 1;',
  'data/report.pdf': '%PDF-1.7 report',
  'old/index.html': '<h1>Old</h1>',
  '404.html': '<h1>Missing</h1>',
};

/** bcrypt hash of a password, with a low cost factor for speed. */
export const hash = '$2a$04$5e1BLF6wZzg7VgbcVNVpMOqfRaWJpzEzCbXr0VvNJTXaW7LSgJ5Oi';

/** Returns the configuration of the test site as a Caddyfile. */
export function caddyfileOf({ http, https, root }: Place): string {
  return `{
	auto_https disable_certs
	http_port ${http}
	https_port ${https}
	default_bind 127.0.0.1
	servers {
		trusted_proxies static 10.0.0.0/8
	}
}

&(upload) {
	route {
		request_body {
			max_size 10MB
		}
		reverse_proxy 10.0.1.9:8080
	}
}

(tls_upstream) {
	transport http {
		tls
		tls_server_name api.internal
	}
}

shop.test {
	encode zstd gzip
	header Strict-Transport-Security "max-age=31536000; includeSubDomains"
	header /account/* Cache-Control no-store
	basic_auth /admin/* {
		ada ${hash}
	}
	redir /sale /offers/summer 302
	redir /help/* https://help.test{uri} permanent
	handle /admin/* {
		reverse_proxy 10.0.0.3:9000
	}
	handle /internal/* {
		@outside not client_ip 10.1.0.0/16
		respond @outside "forbidden" 403
		reverse_proxy 10.0.0.3:9100
	}
	handle_path /api/* {
		rate_limit {
			zone api {
				key {client_ip}
				window 1m
				events 600
			}
		}
		request_body {
			max_size 1MB
		}
		reverse_proxy 10.0.0.1:8080 10.0.0.2:8080 {
			lb_policy round_robin
			header_up Host api.internal
			header_up X-Api-Client web
			header_down -Server
			header_down Set-Cookie "^(.*)$" "$1; Secure"
			import tls_upstream
		}
	}
	handle /ws/* {
		@upgrade {
			header Connection *Upgrade*
			header Upgrade websocket
		}
		handle @upgrade {
			reverse_proxy 10.0.0.4:3000
		}
		respond 426
	}
	handle /data/* {
		root * ${root}
		header Content-Disposition attachment
		file_server
	}
	handle {
		root * ${root}
		try_files {path} /index.html
		file_server
	}
	handle_errors {
		respond "error {err.status_code}"
	}
}

www.shop.test {
	redir https://shop.test{uri} permanent
}

app.test {
	@down file ${root}/maintenance.html
	handle @down {
		respond "back soon" 503
	}
	@cors header Origin https://front.test
	header @cors {
		Access-Control-Allow-Origin https://front.test
		Access-Control-Allow-Credentials true
		+Vary Origin
		defer
	}
	@preflight {
		method OPTIONS
		header Origin https://front.test
	}
	handle @preflight {
		header Access-Control-Allow-Methods "GET, PUT"
		respond 204
	}
	@canary header X-Canary 1
	handle @canary {
		reverse_proxy 10.0.1.2:8080
	}
	@beta header_regexp Cookie "(^|; )beta=on(;|$)"
	handle @beta {
		reverse_proxy 10.0.1.3:8080
	}
	handle /upload/* {
		invoke upload
	}
	@write {
		method POST PUT DELETE
		path /items/*
	}
	handle @write {
		forward_auth 10.0.2.1:4000 {
			uri /check
			copy_headers X-User
		}
		reverse_proxy 10.0.1.1:8080
	}
	@version path_regexp version ^/v([0-9]+)/
	handle @version {
		reverse_proxy 10.0.1.1:8080 {
			header_up X-Version {re.version.1}
		}
	}
	handle /token/* {
		jwtauth {
			sign_key c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0
			issuer_whitelist https://id.test
		}
		reverse_proxy 10.0.1.4:8080
	}
	handle /catalog/* {
		cache {
			ttl 1m
		}
		reverse_proxy 10.0.1.5:8080
	}
	handle /search {
		@empty query q=
		respond @empty "no words" 400
		reverse_proxy 10.0.1.6:8080
	}
	handle {
		reverse_proxy 10.0.1.1:8080 {
			lb_retries 1
		}
	}
}

*.tenant.test {
	vars tenant {labels.2}
	@one host one.tenant.test
	handle @one {
		reverse_proxy 10.0.3.1:8080
	}
	handle {
		reverse_proxy 10.0.3.2:8080 {
			header_up X-Tenant {vars.tenant}
		}
	}
}

blog.test {
	root * ${root}
	map {path} {target} {
		/2019/first /posts/first
		/2019/second /posts/second
	}
	@moved expression \`{target} != ""\`
	redir @moved {target} 301
	@assets path *.js *.css
	header @assets Cache-Control "public, max-age=604800, immutable"
	php_fastcgi 127.0.0.1:9009
	file_server
}

docs.test, docs.example {
	root * ${root}
	route {
		uri strip_prefix /docs
		try_files {path} {path}.html {path}/index.html =404
	}
	file_server
	handle_errors 404 {
		rewrite * /404.html
		file_server
	}
}

http://status.test {
	@old path /old /old/*
	redir @old /new 308
	respond /healthz "ok"
	header /cookie Set-Cookie "a=b; Secure; HttpOnly; SameSite=Lax"
	respond /cookie "set"
	abort /wp-admin/*
}
`;
}

/** A recorded request with its method, URL, header fields, and other properties. */
export interface ClientRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly client?: string;
  readonly bytes?: number;
  /** Status of the recorded response. */
  readonly status?: number;
  readonly upstream?: string;
}

const websocket = { connection: 'Upgrade', upgrade: 'websocket' };
const front = { origin: 'https://front.test' };
const gzip = { 'accept-encoding': 'gzip' };

/** Requests of clients. */
export const requests: readonly ClientRequest[] = [
  { url: 'http://shop.test/', status: 308 },
  { url: 'https://shop.test/', headers: gzip },
  { url: 'https://shop.test/app.js', headers: gzip },
  { url: 'https://shop.test/offers/summer' },
  { url: 'https://shop.test/sale', status: 302 },
  { url: 'https://shop.test/help/returns?from=mail', status: 301 },
  { url: 'https://shop.test/account/orders' },
  { url: 'https://shop.test/admin/users', status: 401 },
  { url: 'https://shop.test/admin/users', headers: { authorization: 'REDACTED' }, upstream: '10.0.0.3:9000' },
  { url: 'https://shop.test/internal/stats', status: 403 },
  { url: 'https://shop.test/internal/stats', client: '10.1.2.3', upstream: '10.0.0.3:9100' },
  {
    url: 'https://shop.test/internal/metrics',
    client: '10.0.0.9',
    headers: { 'x-forwarded-for': '10.1.0.7' },
    upstream: '10.0.0.3:9100',
  },
  { url: 'https://shop.test/api/cart', upstream: '10.0.0.1:8080' },
  { url: 'https://shop.test/api/cart/1?x=y', upstream: '10.0.0.2:8080' },
  { url: 'https://shop.test/api/orders', method: 'POST', bytes: 900, upstream: '10.0.0.1:8080' },
  { url: 'https://shop.test/ws/events', headers: websocket, status: 101, upstream: '10.0.0.4:3000' },
  { url: 'https://shop.test/ws/events', status: 426 },
  { url: 'https://shop.test/data/report.pdf' },
  { url: 'https://shop.test/data/missing.pdf', status: 404 },
  { url: 'https://shop.test/data/', status: 404 },
  { url: 'https://www.shop.test/offers?id=1', status: 301 },
  { url: 'https://app.test/', upstream: '10.0.1.1:8080' },
  { url: 'https://app.test/', headers: front, upstream: '10.0.1.1:8080' },
  { url: 'https://app.test/items/1', method: 'OPTIONS', headers: front, status: 204 },
  { url: 'https://app.test/items/1', upstream: '10.0.1.1:8080' },
  { url: 'https://app.test/items/1', method: 'PUT', bytes: 20, upstream: '10.0.1.1:8080' },
  { url: 'https://app.test/items/2', method: 'DELETE', upstream: '10.0.1.1:8080' },
  { url: 'https://app.test/', headers: { 'x-canary': '1' }, upstream: '10.0.1.2:8080' },
  { url: 'https://app.test/', headers: { cookie: 'REDACTED' }, upstream: '10.0.1.3:8080' },
  { url: 'https://app.test/upload/a.png', method: 'POST', bytes: 5000, upstream: '10.0.1.9:8080' },
  { url: 'https://app.test/v2/users', upstream: '10.0.1.1:8080' },
  { url: 'https://app.test/token/me', status: 401 },
  { url: 'https://app.test/catalog/books', upstream: '10.0.1.5:8080' },
  { url: 'https://app.test/search?q=', status: 400 },
  { url: 'https://app.test/search?q=tea', upstream: '10.0.1.6:8080' },
  { url: 'https://one.tenant.test/', upstream: '10.0.3.1:8080' },
  { url: 'https://two.tenant.test/a', upstream: '10.0.3.2:8080' },
  { url: 'https://blog.test/2019/first', status: 301 },
  { url: 'https://blog.test/app.js' },
  { url: 'https://blog.test/posts/first', upstream: '127.0.0.1:9009' },
  { url: 'https://blog.test/wp-login.php', method: 'POST', bytes: 30, upstream: '127.0.0.1:9009' },
  { url: 'https://docs.test/docs/old' },
  { url: 'https://docs.test/docs/404' },
  { url: 'https://docs.example/nothing', status: 404 },
  { url: 'http://status.test/healthz' },
  { url: 'http://status.test/old/page', status: 308 },
  { url: 'http://status.test/cookie' },
  { url: 'http://status.test/wp-admin/x', status: 0 },
];
