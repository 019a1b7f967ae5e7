/** The commands: names, options, and where what they do is found when one of them runs. */
import { Option } from 'commander';
import type { Commands, CommandSpec } from '@sluice/registry';
import { fleetCommand } from './fleet-commands.ts';
import { maintenanceCommands } from './maintenance-commands.ts';
import { append, collect, count } from './option-values.ts';
import { quickCommands } from './quick-commands.ts';
import { adapter, address, config, envFile, modules, workers } from './shared-options.ts';

const pidFile = new Option('--pidfile <file>', 'write the number of the process to this file');
const resume = new Option('-r, --resume', 'go on with the configuration that was saved last');
const watch = new Option('-w, --watch', 'load the configuration file again when it changes');
const authority = new Option('--ca <id>', 'the authority (default: local)');

const fleet = [
  new Option(
    '--fleet <address>',
    'be a member of a fleet: etcd://host:port[,host:port]/cluster, redis:// or postgres://',
  ),
  new Option('--fleet-member <name>', 'name of this machine in its fleet (default: its host name)'),
  new Option('--fleet-label <label>', 'label of this machine in its fleet (repeatable)').argParser(collect),
];

const serving = [config, adapter, resume, watch, workers, modules, envFile, pidFile, ...fleet];

/** Adds our commands. Packages tap `Registry.hooks.commands` with such a function, see package-commands.ts. */
export function addStandardCommands(table: Commands): void {
  for (const command of commands) table.add(command);
}

/** In the order of the help. */
const commands: readonly CommandSpec[] = [
  {
    name: 'run',
    summary: 'run a server in the foreground',
    options: [
      ...serving,
      new Option('-e, --environ', 'print the environment first'),
      new Option('--pingback <address>', 'send what standard input holds to this address when it serves'),
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
    summary: 'give a server its configuration file',
    options: [config, adapter, address, new Option('-f, --force', 'also if it is the one in force')],
    load: async () => (await import('./commands/reload.ts')).reload,
  },
  {
    name: 'health',
    summary: 'say whether a server runs and its admin endpoint responds',
    options: [address],
    load: async () => (await import('./commands/health.ts')).health,
  },
  {
    name: 'ui',
    summary: 'open the dashboard of a server in a browser',
    options: [address, new Option('--print', 'say its address, and open nothing')],
    load: async () => (await import('./commands/ui.ts')).ui,
  },
  fleetCommand,
  ...quickCommands,
  {
    name: 'explain',
    summary: 'say what becomes of a request: to the server that runs, or to a configuration file',
    options: [
      config,
      adapter,
      address,
      envFile,
      modules,
      new Option('-X, --method <method>', 'method of the request (default: GET)'),
      new Option('-H, --header <field>', 'header field, as "Name: value" (repeatable)').argParser(append),
      new Option('-d, --data <body>', 'body of the request'),
      new Option('--client <address>', 'address of the client, with its port or without'),
      new Option('--server <name>', 'name of the server (default: the one that listens on the port of the URL)'),
      new Option('--protocol <name>', 'HTTP/1.0, HTTP/1.1 or HTTP/2.0'),
      new Option('--responses <json>', 'what upstreams respond, as POST /explain takes it: JSON, or a file with it'),
      new Option('--json', 'print the explanation as JSON'),
      new Option('--as-test', 'print a case for sluice test, which expects what becomes of it now'),
      new Option(
        '--last <n>',
        'with --as-test: cases of so many of the requests that the server has recorded last',
      ).argParser(count),
    ],
    argument: { name: 'url', help: 'what is asked for, such as https://example.com/x', values: [] },
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
      new Option('-p, --pretty', 'indent it'),
      new Option('--explain', 'say in which order the directives of a Caddyfile run, and why'),
      new Option('--validate', 'check it, too'),
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
      new Option('-o, --output <file>', 'write it to this file; "-" is standard output'),
    ],
    load: async () => (await import('./commands/convert.ts')).convert,
  },
  {
    name: 'fmt',
    summary: 'format a Caddyfile',
    options: [
      config,
      new Option('-w, --overwrite', 'write the result to the file'),
      new Option('-d, --diff', 'print the lines that differ'),
    ],
    argument: { name: 'file', help: 'the file; "-" is standard input (default: Caddyfile)', values: [] },
    load: async () => (await import('./commands/fmt.ts')).fmt,
  },
  {
    name: 'validate',
    summary: 'check a configuration without serving it',
    options: [config, adapter, envFile, modules],
    load: async () => (await import('./commands/validate.ts')).validate,
  },
  {
    name: 'lint',
    summary: 'find what is valid in a configuration and most likely not meant',
    options: [
      config,
      adapter,
      envFile,
      modules,
      new Option('--format <format>', 'how to print it').choices(['text', 'json', 'sarif']).default('text'),
      new Option('--fix', 'make the changes that need no thought, in a file of native JSON'),
    ],
    argument: { name: 'file', help: 'the file (default: Caddyfile, or sluice.json)', values: [] },
    load: async () => (await import('./commands/lint.ts')).lint,
  },
  {
    name: 'test',
    summary: 'play requests to a configuration, and compare what becomes of them with what is expected',
    options: [
      envFile,
      modules,
      new Option('--filter <text>', 'only cases whose name has this in it'),
      new Option('--verbose', 'also print the cases that pass'),
      new Option('-w, --watch', 'run them again when a file of cases or of a configuration changes'),
      new Option('--tap', 'print the results as TAP'),
      new Option('--junit <file>', 'also write the results to this file, as JUnit XML'),
      new Option('--coverage', 'say which routes no case has reached, and which matchers have only said yes or no'),
      new Option('--coverage-json <file>', 'write that to this file, as JSON'),
      new Option('--coverage-min <percent>', 'fail if less is covered').argParser(count),
    ],
    argument: {
      name: 'file...',
      help: 'files of cases, JSON5 or YAML (default: sluice-test.* and *.sluice-test.* of the working folder)',
      values: [],
    },
    load: async () => (await import('./commands/test.ts')).test,
  },
  {
    name: 'lsp',
    summary: 'help editors with Caddyfiles and JSON configurations, as a language server',
    options: [envFile, modules, new Option('--stdio', 'speak over standard input and output, which is the default')],
    load: async () => (await import('./commands/lsp.ts')).lsp,
  },
  {
    name: 'token',
    summary: 'make a token for the admin API, and the entry of admin.tokens that lets it in',
    options: [
      new Option('--name <name>', 'what logs and the history call it'),
      new Option('--method <method>', 'only this method (repeatable)').argParser(collect),
      new Option('--path <path>', 'only this path of the API and what is below it (repeatable)').argParser(collect),
      new Option('--id <id>', 'only the object with this @id and what is in it (repeatable)').argParser(collect),
      new Option(
        '--refuse-placeholders <kind>',
        'refuse values with placeholders of this kind, such as file or env (repeatable)',
      ).argParser(collect),
      new Option('--expires <duration>', 'how long it is good for, such as 720h or 90d'),
    ],
    load: async () => (await import('./commands/token.ts')).token,
  },
  {
    name: 'trust',
    summary: 'have the root of an authority trusted by this machine',
    options: [authority, address, config, adapter],
    load: async () => (await import('./commands/trust.ts')).trust,
  },
  {
    name: 'untrust',
    summary: 'have a root not trusted by this machine any more',
    options: [
      authority,
      new Option('-p, --cert <file>', 'the certificate, in place of that of a server'),
      address,
      config,
      adapter,
    ],
    load: async () => (await import('./commands/trust.ts')).untrust,
  },
  {
    name: 'list-modules',
    summary: 'list the modules that there are',
    options: [
      modules,
      new Option('--json', 'as JSON'),
      new Option('--packages', 'with their packages'),
      new Option('--versions', 'with their versions'),
      new Option('-s, --skip-standard', 'without those that ship with the server'),
    ],
    load: async () => (await import('./commands/list-modules.ts')).listModules,
  },
  {
    name: 'doc',
    summary: 'tell what a module or an option is for',
    options: [modules],
    argument: {
      name: 'path',
      help: 'such as http.handlers.encode or http.handlers.encode.gzip.level (default: what there is)',
      values: [],
    },
    load: async () => (await import('./commands/doc.ts')).doc,
  },
  {
    name: 'schema',
    summary: 'print the JSON Schema of the configuration',
    options: [modules, new Option('--test-cases', 'that of the files of sluice test, in its place')],
    load: async () => (await import('./commands/schema.ts')).schema,
  },
  {
    name: 'manifest',
    summary: 'write what package.json says of the modules of a package, from its built code',
    options: [new Option('--check', 'write nothing; fail if package.json is not up to date')],
    argument: { name: 'folder', help: 'folder of the package (default: the working directory)', values: [] },
    load: async () => (await import('./commands/manifest.ts')).manifest,
  },
  ...maintenanceCommands,
  {
    name: 'environ',
    summary: 'print the environment',
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
    summary: 'print a script that completes commands in a shell',
    options: [],
    argument: { name: 'shell', help: 'bash, zsh, fish, powershell', values: ['bash', 'zsh', 'fish', 'powershell'] },
    load: async () => (await import('./commands/completion.ts')).completion,
  },
];
