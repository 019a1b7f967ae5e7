/** What the directives `reverse_proxy`, `php_fastcgi`, `forward_auth` say of themselves. */
import type { Description } from '@sluice/caddyfile/contribute';

export const reverseProxy: Description = {
  syntax: ['reverse_proxy [<matcher>] [<upstream>…]'],
  summary:
    'Proxies requests to upstreams, with load balancing, health checks and retries. An upstream is `host:port`, a URL, or `unix//path`.',
  options: [
    { syntax: 'to <upstream>…', summary: 'Additional upstreams.' },
    {
      syntax: 'dynamic <module> …',
      summary: 'Discovers upstreams for each request, for example with DNS.',
      module: 'http.reverse_proxy.upstreams',
    },
    {
      syntax: 'lb_policy <name> …',
      summary: 'Load balancing policy. Default: random.',
      module: 'http.reverse_proxy.selection_policies',
    },
    { syntax: 'lb_retries <count>', summary: 'Maximum number of retries.' },
    { syntax: 'lb_try_duration <time>', summary: 'Maximum time to retry.' },
    { syntax: 'lb_try_interval <time>', summary: 'Delay between retries. Default: 250ms.' },
    {
      syntax: 'lb_retry_match …',
      summary: 'Requests that may be retried even if they may have reached an upstream.',
      block: 'matchers',
    },
    { syntax: 'health_uri <uri>', summary: 'Request URI of active health checks. Setting it enables them.' },
    { syntax: 'health_upstream <address>', summary: 'Address for health checks, instead of the upstream address.' },
    { syntax: 'health_port <port>', summary: 'Port for health checks, instead of the upstream port.' },
    { syntax: 'health_interval <time>', summary: 'Interval between health checks. Default: 30s.' },
    { syntax: 'health_timeout <time>', summary: 'Health check timeout. Default: 5s.' },
    { syntax: 'health_method <method>', summary: 'Request method of health checks.' },
    { syntax: 'health_request_body <text>', summary: 'Request body of health checks.' },
    { syntax: 'health_headers', summary: 'Request header fields of health checks, one per line.' },
    {
      syntax: 'health_passes <count>',
      summary: 'Number of consecutive passed checks before an upstream is healthy again.',
    },
    { syntax: 'health_fails <count>', summary: 'Number of consecutive failed checks before an upstream is unhealthy.' },
    { syntax: 'health_status <status>', summary: 'Expected status code, or a class such as `2xx`.' },
    { syntax: 'health_body <regexp>', summary: 'Regular expression that the response body must match.' },
    { syntax: 'health_follow_redirects', summary: 'Follows redirects.' },
    {
      syntax: 'fail_duration <time>',
      summary: 'Time for which a failed request is counted. Setting it enables passive health checks.',
    },
    { syntax: 'max_fails <count>', summary: 'Number of failed requests before an upstream is unhealthy.' },
    { syntax: 'unhealthy_status <status>…', summary: 'Status codes that count as failures.' },
    { syntax: 'unhealthy_latency <time>', summary: 'Maximum latency; slower responses count as failures.' },
    {
      syntax: 'unhealthy_request_count <count>',
      summary: 'Number of concurrent requests at which an upstream is unhealthy.',
    },
    { syntax: 'flush_interval <time>|-1', summary: 'Flush interval of responses; `-1` flushes after each write.' },
    {
      syntax: 'request_buffers <size>|unlimited',
      summary: 'Buffer size for request bodies, which are read up to it before they are sent.',
    },
    {
      syntax: 'response_buffers <size>|unlimited',
      summary: 'Buffer size for response bodies, which are read up to it before they are sent.',
    },
    { syntax: 'stream_timeout <time>', summary: 'Maximum lifetime of upgraded connections.' },
    {
      syntax: 'stream_close_delay <time>',
      summary: 'Time for which upgraded connections stay open after a configuration change.',
    },
    { syntax: 'stream_buffer_size <size>', summary: 'Buffer size of upgraded connections.' },
    {
      syntax: 'trusted_proxies <range>…',
      summary:
        'IP ranges of proxies whose `X-Forwarded-*` fields are trusted. `private_ranges` stands for all private ranges.',
    },
    {
      syntax: 'header_up <field> [<value> [<replacement>]]',
      summary: 'Changes request header fields: `+` adds, `-` deletes.',
    },
    { syntax: 'header_down <field> [<value> [<replacement>]]', summary: 'Changes response header fields.' },
    { syntax: 'method <method>', summary: 'Changes the request method.' },
    { syntax: 'rewrite <uri>', summary: 'Changes the path and query of the request.' },
    { syntax: 'transport <name> …', summary: 'Transport to upstreams.', module: 'http.reverse_proxy.transport' },
    { syntax: 'replace_status [@<matcher>] <status>', summary: 'Changes the status of matching responses.' },
    {
      syntax: 'handle_response [@<matcher>]',
      summary: 'Handles matching responses with directives.',
      block: 'directives',
    },
    { syntax: 'verbose_logs', summary: 'Adds request details to logs.' },
  ],
  example: `:8080 {
	reverse_proxy /api/* localhost:9000 localhost:9001 {
		lb_policy least_conn
		health_uri /health
		header_up X-Site {host}
	}
}
`,
};

export const phpFastcgi: Description = {
  syntax: ['php_fastcgi [<matcher>] <upstream>…'],
  summary:
    'Serves PHP over FastCGI. Adds a slash to directories with an index, sends missing files to the index, and proxies PHP files. Also accepts the options of `reverse_proxy`.',
  options: [
    { syntax: 'root <path>', summary: 'Root directory as the upstream sees it.' },
    { syntax: 'split <suffix>…', summary: 'Substring at which the script name ends.' },
    { syntax: 'env <name> <value>', summary: 'Environment variable for scripts.' },
    { syntax: 'index <name>|off', summary: 'Index file of directories.' },
    { syntax: 'try_files <file>…', summary: 'Files to try, instead of the default ones.' },
    { syntax: 'resolve_root_symlink', summary: 'Resolves the root if it is a symbolic link.' },
    { syntax: 'capture_stderr', summary: 'Logs the standard error of scripts.' },
    { syntax: 'dial_timeout <time>', summary: 'Connect timeout.' },
    { syntax: 'read_timeout <time>', summary: 'Read timeout.' },
    { syntax: 'write_timeout <time>', summary: 'Write timeout.' },
  ],
  example: `:8080 {
	root /srv/app
	php_fastcgi unix//run/php/php-fpm.sock
	file_server
}
`,
};

export const forwardAuth: Description = {
  syntax: ['forward_auth [<matcher>] [<upstream>…]'],
  summary:
    'Delegates authorization to another server. A 2xx response allows the request; any other response is sent to the client. Also accepts the options of `reverse_proxy`.',
  options: [
    { syntax: 'uri <uri>', summary: 'Request URI of the authorization request.' },
    {
      syntax: 'copy_headers <field>[><name>]…',
      summary: 'Response header fields to copy to the request, optionally under another name.',
    },
  ],
  example: `:8080 {
	forward_auth localhost:9091 {
		uri /api/verify
		copy_headers Remote-User Remote-Groups
	}
	reverse_proxy localhost:9000
}
`,
};
