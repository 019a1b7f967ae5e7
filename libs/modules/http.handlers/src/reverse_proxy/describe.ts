/** What the directives `reverse_proxy`, `php_fastcgi`, `forward_auth` say of themselves. */
import type { Description } from '@sluice/caddyfile/contribute';

export const reverseProxy: Description = {
  syntax: ['reverse_proxy [<matcher>] [<upstream>…]'],
  summary:
    'Passes requests on to upstreams, with load balancing, health checks and retries. An upstream is `host:port`, a URL, or `unix//path`.',
  options: [
    { syntax: 'to <upstream>…', summary: 'Further upstreams.' },
    {
      syntax: 'dynamic <module> …',
      summary: 'Finds upstreams for each request, as by DNS.',
      module: 'http.reverse_proxy.upstreams',
    },
    {
      syntax: 'lb_policy <name> …',
      summary: 'How an upstream is chosen; at random where nothing is said.',
      module: 'http.reverse_proxy.selection_policies',
    },
    { syntax: 'lb_retries <count>', summary: 'How often another upstream is tried.' },
    { syntax: 'lb_try_duration <time>', summary: 'How long upstreams are tried.' },
    { syntax: 'lb_try_interval <time>', summary: 'How long to wait between two tries. 250ms where nothing is said.' },
    {
      syntax: 'lb_retry_match …',
      summary: 'Which requests may be tried again although they may have reached an upstream.',
      block: 'matchers',
    },
    { syntax: 'health_uri <uri>', summary: 'Where active health checks ask. They are on where this is set.' },
    { syntax: 'health_upstream <address>', summary: 'Asks there instead of the upstream itself.' },
    { syntax: 'health_port <port>', summary: 'Asks on another port.' },
    { syntax: 'health_interval <time>', summary: 'How often to ask. 30s where nothing is said.' },
    { syntax: 'health_timeout <time>', summary: 'How long to wait for the response. 5s where nothing is said.' },
    { syntax: 'health_method <method>', summary: 'The method of the request.' },
    { syntax: 'health_request_body <text>', summary: 'The body of the request.' },
    { syntax: 'health_headers', summary: 'Fields of the request, one a line.' },
    {
      syntax: 'health_passes <count>',
      summary: 'How many checks in a row have to pass before an upstream is healthy again.',
    },
    { syntax: 'health_fails <count>', summary: 'How many checks in a row have to fail before one is unhealthy.' },
    { syntax: 'health_status <status>', summary: 'The status that is expected, or a class such as `2xx`.' },
    { syntax: 'health_body <regexp>', summary: 'What the body has to match.' },
    { syntax: 'health_follow_redirects', summary: 'Follows redirects of the response.' },
    { syntax: 'fail_duration <time>', summary: 'How long a failed request counts. Turns passive health checks on.' },
    { syntax: 'max_fails <count>', summary: 'How many failed requests make an upstream unhealthy.' },
    { syntax: 'unhealthy_status <status>…', summary: 'Statuses that count as failed.' },
    { syntax: 'unhealthy_latency <time>', summary: 'Responses that take longer count as failed.' },
    { syntax: 'unhealthy_request_count <count>', summary: 'With so many requests at once, an upstream is unhealthy.' },
    { syntax: 'flush_interval <time>|-1', summary: 'How often a response is passed on while it comes; `-1`: at once.' },
    { syntax: 'request_buffers <size>|unlimited', summary: 'Reads so much of a request before it is sent.' },
    { syntax: 'response_buffers <size>|unlimited', summary: 'Reads so much of a response before it is passed on.' },
    { syntax: 'stream_timeout <time>', summary: 'The longest life of a connection that was upgraded.' },
    {
      syntax: 'stream_close_delay <time>',
      summary: 'How long upgraded connections stay when the configuration changes.',
    },
    { syntax: 'stream_buffer_size <size>', summary: 'The size of the buffers of upgraded connections.' },
    {
      syntax: 'trusted_proxies <range>…',
      summary: 'Whose `X-Forwarded-*` fields are believed. `private_ranges` stands for all that are private.',
    },
    {
      syntax: 'header_up <field> [<value> [<replacement>]]',
      summary: 'Changes fields of the request: `+` adds, `-` deletes.',
    },
    { syntax: 'header_down <field> [<value> [<replacement>]]', summary: 'Changes fields of the response.' },
    { syntax: 'method <method>', summary: 'Changes the method of the request.' },
    { syntax: 'rewrite <uri>', summary: 'Changes path and query of the request.' },
    { syntax: 'transport <name> …', summary: 'How upstreams are talked to.', module: 'http.reverse_proxy.transport' },
    { syntax: 'replace_status [@<matcher>] <status>', summary: 'Changes the status of responses that match.' },
    {
      syntax: 'handle_response [@<matcher>]',
      summary: 'Handles responses that match by directives.',
      block: 'directives',
    },
    { syntax: 'verbose_logs', summary: 'Logs more of each request.' },
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
    'Serves PHP by FastCGI: folders with an index get a slash, what is not there goes to the index, and what is PHP to the upstream. Takes the options of `reverse_proxy` too.',
  options: [
    { syntax: 'root <path>', summary: 'The root that the upstream sees.' },
    { syntax: 'split <suffix>…', summary: 'Where the path of the script ends.' },
    { syntax: 'env <name> <value>', summary: 'A variable for scripts.' },
    { syntax: 'index <name>|off', summary: 'The file that stands for a folder.' },
    { syntax: 'try_files <file>…', summary: 'What is tried in place of the usual files.' },
    { syntax: 'resolve_root_symlink', summary: 'Follows the link that the root is.' },
    { syntax: 'capture_stderr', summary: 'Logs what scripts write to standard error.' },
    { syntax: 'dial_timeout <time>', summary: 'How long connecting may take.' },
    { syntax: 'read_timeout <time>', summary: 'How long reading may take.' },
    { syntax: 'write_timeout <time>', summary: 'How long writing may take.' },
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
    'Asks another server whether a request may go on: with 2xx it may, any other response goes to the client. Takes the options of `reverse_proxy` too.',
  options: [
    { syntax: 'uri <uri>', summary: 'What it is asked for.' },
    {
      syntax: 'copy_headers <field>[><name>]…',
      summary: 'Fields of its response that are set in the request, under another name if you like.',
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
