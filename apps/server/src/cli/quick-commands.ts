/** Commands that serve without a configuration file. */
import { Option } from 'commander';
import type { CommandSpec } from '@sluice/registry';
import { append, collect, count, integer } from './option-values.ts';

const debug = new Option('-v, --debug', 'log more, for a look at what happens');
const workers = new Option('--workers <n>', 'threads that serve (default: one per core)').argParser(count);

/** In the order of the help. */
export const quickCommands: readonly CommandSpec[] = [
  {
    name: 'file-server',
    summary: 'serve the files of a folder',
    options: [
      new Option('-d, --domain <name>', 'serve this name over HTTPS, on port 443 unless --listen says otherwise'),
      new Option('-r, --root <folder>', 'the folder (default: the working folder)'),
      new Option('-l, --listen <address>', 'where to listen (default: :80, with --domain :443)'),
      new Option('-b, --browse', 'list folders that have no index file'),
      new Option('--reveal-symlinks', 'show in lists where symbolic links lead'),
      new Option('-f, --file-limit <n>', 'most entries that are read of a folder (default: 10000)').argParser(integer),
      new Option('-t, --templates', 'run templates in pages'),
      new Option(
        '-p, --precompressed <kind>',
        'send FILE.br, FILE.gz or FILE.zst where there is one: br, gzip, zstd, best first (repeatable)',
      ).argParser(collect),
      new Option('--no-compress', 'do not compress responses'),
      new Option('-a, --access-log', 'log requests'),
      debug,
      workers,
    ],
    load: async () => (await import('./commands/file-server.ts')).fileServer,
  },
  {
    name: 'reverse-proxy',
    summary: 'send requests on to other servers',
    options: [
      new Option('-f, --from <address>', 'where requests come in; a name is served over HTTPS (default: localhost)'),
      new Option('-t, --to <address>', 'where they go (repeatable)').argParser(collect),
      new Option('-c, --change-host-header', 'send the address of the upstream as Host'),
      new Option('-H, --header-up <field>', 'set a field of requests, as "Name: value" (repeatable)').argParser(append),
      new Option('-d, --header-down <field>', 'set a field of responses, as "Name: value" (repeatable)').argParser(
        append,
      ),
      new Option('--insecure', 'do not check the certificates of upstreams: anyone could take their place'),
      new Option('-i, --internal-certs', 'have the own authority issue certificates, not a public one'),
      new Option('-r, --disable-redirects', 'do not redirect HTTP to HTTPS, and leave the HTTP port alone'),
      new Option('--access-log', 'log requests'),
      debug,
      workers,
    ],
    load: async () => (await import('./commands/reverse-proxy.ts')).reverseProxy,
  },
  {
    name: 'respond',
    summary: 'send one response to all requests, for development and tests',
    options: [
      new Option('-l, --listen <address>', 'where to listen; a server for each port of a range (default: a free port)'),
      new Option('-s, --status <code>', 'the status (default: 200)').argParser(integer),
      new Option(
        '-b, --body <text>',
        'the body, a template with {{.N}}, {{.Port}} and {{.Address}} (default: standard input)',
      ),
      new Option('-H, --header <field>', 'set a field, as "Name: value" (repeatable)').argParser(append),
      new Option('--access-log', 'log requests'),
      debug,
      workers,
    ],
    argument: { name: 'body|status', help: 'a status if it is a number, else the body', values: [] },
    load: async () => (await import('./commands/respond.ts')).respond,
  },
];
