/** Built-in commands: their names, options, and loaders for their code. */
import { Option } from 'commander';
import type { Commands, CommandSpec } from '@sluice/registry';
import { changeCommands } from './change-commands.ts';
import { fleetCommand, rolloutCommand } from './fleet-commands.ts';
import { maintenanceCommands } from './maintenance-commands.ts';
import { append, collect, count } from './option-values.ts';
import { quickCommands } from './quick-commands.ts';
import { adapter, address, config, envFile, modules, workers } from './shared-options.ts';

const pidFile = new Option('--pidfile <file>', 'write the process ID to this file');
const resume = new Option('-r, --resume', 'start with the last saved configuration instead of the configuration file');
const watch = new Option('-w, --watch', 'reload the configuration file when it changes');
const authority = new Option('--ca <id>', 'ID of the certificate authority (default: local)');

const fleet = [
  new Option(
    '--fleet <address>',
    'join the fleet with this store: etcd://host:port[,host:port]/cluster, redis:// or postgres://',
  ),
  new Option('--fleet-member <name>', 'name of this machine in the fleet (default: host name)'),
  new Option('--fleet-label <label>', 'label of this machine in the fleet (repeatable)').argParser(collect),
];

const serving = [config, adapter, resume, watch, workers, modules, envFile, pidFile, ...fleet];

/** Adds the built-in commands. Packages add their commands by tapping `Registry.hooks.commands`; see package-commands.ts. */
export function addStandardCommands(table: Commands): void {
  for (const command of commands) table.add(command);
}

const commands: readonly CommandSpec[] = [
  {
    name: 'run',
    summary: 'run a server in the foreground',
    options: [
      ...serving,
      new Option('-e, --environ', 'print environment information before starting'),
      new Option(
        '--pingback <address>',
        'when the server is ready, send the contents of standard input to this TCP address',
      ),
    ],
    load: async () => (await import('./commands/run.ts')).run,
  },
  {
    name: 'start',
    summary: 'start a server in the background',
    options: serving,
    load: async () => (await import('./commands/start.ts')).start,
  },
  {
    name: 'stop',
    summary: 'stop a server gracefully',
    options: [address, config, adapter],
    load: async () => (await import('./commands/stop.ts')).stop,
  },
  {
    name: 'reload',
    summary: 'reload the configuration file of a running server',
    options: [config, adapter, address, new Option('-f, --force', 'reload even if the configuration has not changed')],
    load: async () => (await import('./commands/reload.ts')).reload,
  },

  ...changeCommands,
  {
    name: 'health',
    summary: 'check whether a server is running and responding on its admin endpoint',
    options: [address],
    load: async () => (await import('./commands/health.ts')).health,
  },
  {
    name: 'ui',
    summary: "open a server's dashboard in a browser",
    options: [address, new Option('--print', 'print the URL instead of opening a browser')],
    load: async () => (await import('./commands/ui.ts')).ui,
  },
  fleetCommand,
  rolloutCommand,
  ...quickCommands,
  {
    name: 'explain',
    summary: 'explain how a running server or a configuration file handles a request',
    options: [
      config,
      adapter,
      address,
      envFile,
      modules,
      new Option('-X, --method <method>', 'request method (default: GET)'),
      new Option('-H, --header <field>', 'request header field, as "Name: value" (repeatable)').argParser(append),
      new Option('-d, --data <body>', 'request body'),
      new Option('--client <address>', 'client IP address, with an optional port'),
      new Option('--server <name>', 'server name (default: the server that listens on the port in the URL)'),
      new Option('--protocol <name>', 'protocol version: HTTP/1.0, HTTP/1.1 or HTTP/2.0'),
      new Option(
        '--responses <json>',
        'simulated upstream responses, as JSON or a JSON file, in the format of POST /explain',
      ),
      new Option('--json', 'print the explanation as JSON'),
      new Option('--as-test', 'print a test case for `sluice test` that expects the current result'),
      new Option('--last <n>', 'with --as-test, generate test cases for the last n recorded requests').argParser(count),
    ],
    argument: { name: 'url', help: 'URL of the request, such as https://example.com/x', values: [] },
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  {
    name: 'adapt',
    summary: 'print a configuration as native JSON',
    options: [
      config,
      adapter,
      envFile,
      modules,
      new Option('-p, --pretty', 'indent the output'),
      new Option('--explain', 'show the order in which Caddyfile directives run, and the reasons for that order'),
      new Option('--validate', 'also validate the configuration'),
    ],
    load: async () => (await import('./commands/adapt.ts')).adapt,
  },
  {
    name: 'convert',
    summary: 'print a configuration as a Caddyfile',
    options: [
      config,
      adapter,
      envFile,
      modules,
      new Option('-o, --output <file>', 'output file; "-" = standard output'),
    ],
    subcommands: [
      {
        name: 'ingress',
        summary:
          'convert Kubernetes Ingresses with ingress-nginx annotations to a configuration or Gateway API HTTPRoutes',
        options: [
          new Option('--to <format>', 'output format: json (default), or httproute for Gateway API HTTPRoutes'),
          new Option('--allow-snippets', 'convert nginx configuration snippets in annotations'),
          new Option('--gateway-class <name>', 'GatewayClass for the generated Gateway (default: sluice)'),
          new Option('-o, --output <file>', 'output file; "-" = standard output'),
        ],
        argument: { name: 'files', help: 'manifest files in YAML or JSON; "-" = standard input', values: [] },
        load: async () => (await import('./commands/convert-ingress.ts')).convertIngress,
      },
    ],
    load: async () => (await import('./commands/convert.ts')).convert,
  },
  {
    name: 'fmt',
    summary: 'format a Caddyfile',
    options: [
      config,
      new Option('-w, --overwrite', 'overwrite the file with the formatted output'),
      new Option('-d, --diff', 'print a diff instead of the formatted output'),
    ],
    argument: { name: 'file', help: 'Caddyfile to format; "-" = standard input (default: Caddyfile)', values: [] },
    load: async () => (await import('./commands/fmt.ts')).fmt,
  },
  {
    name: 'validate',
    summary: 'validate a configuration without running it',
    options: [config, adapter, envFile, modules],
    load: async () => (await import('./commands/validate.ts')).validate,
  },
  {
    name: 'lint',
    summary: 'report parts of a configuration that are valid but probably unintended',
    options: [
      config,
      adapter,
      envFile,
      modules,
      new Option('--format <format>', 'output format').choices(['text', 'json', 'sarif']).default('text'),
      new Option('--fix', 'apply safe fixes to a native JSON file'),
    ],
    argument: { name: 'file', help: 'configuration file (default: Caddyfile, or sluice.json)', values: [] },
    load: async () => (await import('./commands/lint.ts')).lint,
  },
  {
    name: 'test',
    summary: 'run test requests through a configuration, and compare the results with expectations',
    options: [
      envFile,
      modules,
      new Option('--filter <text>', 'run only cases whose name contains this string'),
      new Option('--verbose', 'also print passed cases'),
      new Option('-w, --watch', 'rerun the tests when a test case file or configuration changes'),
      new Option('--tap', 'print results in TAP format'),
      new Option('--junit <file>', 'also write the results to this file as JUnit XML'),
      new Option('--coverage', 'report routes that no case reached, and matchers that always had the same result'),
      new Option('--coverage-json <file>', 'write coverage to this file as JSON'),
      new Option('--coverage-min <percent>', 'fail if coverage is below this percentage').argParser(count),
    ],
    argument: {
      name: 'file...',
      help: 'test case files in JSON5 or YAML (default: sluice-test.* and *.sluice-test.* in the working directory)',
      values: [],
    },
    load: async () => (await import('./commands/test.ts')).test,
  },
  {
    name: 'lsp',
    summary: 'run a language server for Caddyfiles and JSON configurations',
    options: [envFile, modules, new Option('--stdio', 'communicate over standard input and output (default)')],
    load: async () => (await import('./commands/lsp.ts')).lsp,
  },

  {
    name: 'token',
    summary: 'create a token for the admin API and the corresponding entry for admin.tokens',
    options: [
      new Option('--name <name>', 'token name, shown in logs and in the configuration history'),
      new Option('--method <method>', 'allow only this method (repeatable)').argParser(collect),
      new Option('--path <path>', 'allow only this API path and its subpaths (repeatable)').argParser(collect),
      new Option('--id <id>', 'allow only the object with this @id and everything inside it (repeatable)').argParser(
        collect,
      ),
      new Option(
        '--refuse-placeholders <kind>',
        'reject changed values that contain placeholders of this kind, such as file or env (repeatable)',
      ).argParser(collect),
      new Option('--expires <duration>', 'validity period, such as 720h or 90d'),
    ],
    load: async () => (await import('./commands/token.ts')).token,
  },
  {
    name: 'trust',
    summary: "install a root certificate in this machine's trust stores",
    options: [authority, address, config, adapter],
    load: async () => (await import('./commands/trust.ts')).trust,
  },
  {
    name: 'untrust',
    summary: "remove a root certificate from this machine's trust stores",
    options: [
      authority,
      new Option('-p, --cert <file>', "certificate file to use instead of a server's root certificate"),
      address,
      config,
      adapter,
    ],
    load: async () => (await import('./commands/trust.ts')).untrust,
  },
  {
    name: 'list-modules',
    summary: 'list available modules',
    options: [
      modules,
      new Option('--json', 'print the list as JSON'),
      new Option('--packages', 'include the package of each module'),
      new Option('--versions', 'include the version of each package'),
      new Option('-s, --skip-standard', 'omit modules that are included in the server'),
    ],
    load: async () => (await import('./commands/list-modules.ts')).listModules,
  },
  {
    name: 'doc',
    summary: 'show the documentation of a module or option',
    options: [modules],
    argument: {
      name: 'path',
      help: 'module or option, such as http.handlers.encode or http.handlers.encode.gzip.level (default: list everything)',
      values: [],
    },
    load: async () => (await import('./commands/doc.ts')).doc,
  },
  {
    name: 'schema',
    summary: 'print the JSON Schema of the configuration',
    options: [modules, new Option('--test-cases', 'print the schema of `sluice test` files instead')],
    load: async () => (await import('./commands/schema.ts')).schema,
  },
  {
    name: 'manifest',
    summary: 'generate the module manifest in package.json from the built code of a module package',
    options: [new Option('--check', 'do not write anything; fail if package.json is out of date')],
    argument: { name: 'directory', help: 'directory of the package (default: working directory)', values: [] },
    load: async () => (await import('./commands/manifest.ts')).manifest,
  },
  ...maintenanceCommands,
  {
    name: 'environ',
    summary: 'print environment information',
    options: [envFile],
    load: async () => (await import('./commands/environ.ts')).environ,
  },
  {
    name: 'version',
    summary: 'print the version',
    options: [],
    load: async () => (await import('./commands/version.ts')).printVersion,
  },
  {
    name: 'completion',
    summary: 'print a shell completion script',
    options: [],
    argument: { name: 'shell', help: 'bash, zsh, fish or powershell', values: ['bash', 'zsh', 'fish', 'powershell'] },
    load: async () => (await import('./commands/completion.ts')).completion,
  },
];
