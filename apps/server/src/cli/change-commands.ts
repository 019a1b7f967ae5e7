/** Commands for planning changes to a running server. */
import { Option } from 'commander';
import type { CommandSpec } from '@sluice/registry';
import { adapter, address, config, modules } from './shared-options.ts';

export const changeCommands: readonly CommandSpec[] = [
  {
    name: 'plan',
    summary: 'show what a configuration file would change on a running server, and which requests would be affected',
    options: [
      config,
      adapter,
      address,
      new Option('--against <address>', 'alias of --address'),
      new Option('--expect-same', 'exit with code 1 unless all compared requests are handled the same way'),
      new Option(
        '--tests <file>',
        'also run this test file against the new configuration, and exit with code 1 if a test fails',
      ),
      new Option('--shadow', 'also replay recorded requests through both configurations, and compare the responses'),
      new Option('--requests <number>', 'maximum number of requests to replay with --shadow (default: 200)'),
      new Option('--seconds <number>', 'maximum duration of --shadow, in seconds (default: 10)'),
      new Option('--live', 'with --shadow, also replay requests that arrive during the comparison'),
      new Option(
        '--unsafe <addresses>',
        'with --shadow, comma-separated upstreams that may receive replayed requests with unsafe methods such as POST',
      ),
      new Option('--json', 'print the plan as JSON'),
      new Option('--junit <file>', 'also write the comparison to this file as JUnit XML'),
    ],
    argument: { name: 'file', help: 'configuration file (default: Caddyfile, or sluice.json)', values: [] },
    load: async () => (await import('./commands/plan.ts')).plan,
  },
  {
    name: 'mcp',
    summary:
      'run a Model Context Protocol (MCP) server, which lets AI agents read the configuration and propose changes',
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
