/** Commands that prepare changes of a running server. */
import { Option } from 'commander';
import type { CommandSpec } from '@sluice/registry';
import { adapter, address, config, modules } from './shared-options.ts';

export const changeCommands: readonly CommandSpec[] = [
  {
    name: 'plan',
    summary: 'report what a configuration file would change on a running server, and for which requests',
    options: [
      config,
      adapter,
      address,
      new Option('--against <address>', 'admin endpoint of the server; same as --address'),
      new Option('--expect-same', 'exit with 1 unless all compared requests are handled the same'),
      new Option('--tests <file>', 'also run this test file with the configuration, and exit with 1 if a test fails'),
      new Option('--shadow', 'also send recorded requests through both configurations, and compare the responses'),
      new Option('--requests <number>', 'with --shadow: maximum number of requests (default: 200)'),
      new Option('--seconds <number>', 'with --shadow: maximum duration (default: 10)'),
      new Option('--live', 'with --shadow: also replay requests that arrive meanwhile'),
      new Option(
        '--unsafe <addresses>',
        'with --shadow: upstreams that may receive replayed requests with unsafe methods such as POST, separated by commas',
      ),
      new Option('--json', 'print the plan as JSON'),
      new Option('--junit <file>', 'also write the comparison to this file as JUnit XML'),
    ],
    argument: { name: 'file', help: 'configuration file (default: Caddyfile, or sluice.json)', values: [] },
    load: async () => (await import('./commands/plan.ts')).plan,
  },
  {
    name: 'mcp',
    summary: 'run a Model Context Protocol server, through which programs read the configuration and propose changes',
    options: [
      address,
      modules,
      new Option(
        '--http <address>',
        'serve over HTTP on this loopback address, such as localhost:2020, instead of standard input and output',
      ),
    ],
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
];
