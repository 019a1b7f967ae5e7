/** Commands that serve requests without a configuration file. */
import { Option } from 'commander';
import type { CommandSpec } from '@sluice/registry';
import { append, collect, integer } from './option-values.ts';
import { workers } from './shared-options.ts';

const debug = new Option('-v, --debug', 'enable debug logging');

export const quickCommands: readonly CommandSpec[] = [
  {
    name: 'file-server',
    summary: 'serve files from a directory',
    options: [
      new Option('-d, --domain <name>', 'domain to serve over HTTPS, on port 443 unless --listen is set'),
      new Option('-r, --root <directory>', 'root directory (default: working directory)'),
      new Option('-l, --listen <address>', 'listen address (default: :80, or :443 with --domain)'),
      new Option('-b, --browse', 'list the contents of directories that have no index file'),
      new Option('--reveal-symlinks', 'show the targets of symbolic links in listings'),
      new Option('-f, --file-limit <n>', 'maximum number of entries to read per directory (default: 10000)').argParser(
        integer,
      ),
      new Option('-t, --templates', 'execute pages as templates'),
      new Option(
        '-p, --precompressed <kind>',
        'precompressed format to serve: br, gzip or zstd, if FILE.br, FILE.gz or FILE.zst exists (repeatable, in order of preference)',
      ).argParser(collect),
      new Option('--no-compress', 'disable response compression'),
      new Option('-a, --access-log', 'log requests'),
      debug,
      workers,
    ],
    subcommands: [
      {
        name: 'export-template',
        summary: 'print the built-in template for directory listings; set browse.template_file to a customized copy',
        options: [],
        load: async () => (await import('./commands/export-template.ts')).exportTemplate,
      },
    ],
    load: async () => (await import('./commands/file-server.ts')).fileServer,
  },
  {
    name: 'reverse-proxy',
    summary: 'proxy requests to upstream servers',
    options: [
      new Option('-f, --from <address>', 'address to listen on; a domain name enables HTTPS (default: localhost)'),
      new Option('-t, --to <address>', 'upstream address (repeatable)').argParser(collect),
      new Option('-c, --change-host-header', 'set the Host header to the upstream address'),
      new Option('-H, --header-up <field>', 'set a request header field, as "Name: value" (repeatable)').argParser(
        append,
      ),
      new Option('-d, --header-down <field>', 'set a response header field, as "Name: value" (repeatable)').argParser(
        append,
      ),
      new Option('--insecure', 'disable verification of upstream certificates; insecure'),
      new Option(
        '-i, --internal-certs',
        'issue certificates from the internal certificate authority instead of a public one',
      ),
      new Option('-r, --disable-redirects', 'disable redirects from HTTP to HTTPS, and do not listen on the HTTP port'),
      new Option('--access-log', 'log requests'),
      debug,
      workers,
    ],
    load: async () => (await import('./commands/reverse-proxy.ts')).reverseProxy,
  },
  {
    name: 'respond',
    summary: 'send a fixed response to all requests, for development and testing',
    options: [
      new Option(
        '-l, --listen <address>',
        'listen address; a port range starts one server per port (default: a free port)',
      ),
      new Option('-s, --status <code>', 'status code (default: 200)').argParser(integer),
      new Option(
        '-b, --body <text>',
        'response body; a template that can contain {{.N}}, {{.Port}} and {{.Address}} (default: standard input)',
      ),
      new Option('-H, --header <field>', 'set a header field, as "Name: value" (repeatable)').argParser(append),
      new Option('--access-log', 'log requests'),
      debug,
      workers,
    ],
    argument: { name: 'body|status', help: 'status code if it is a number, otherwise the response body', values: [] },
    load: async () => (await import('./commands/respond.ts')).respond,
  },
];
