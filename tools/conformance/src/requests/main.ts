/**
 * Sends generated requests to Caddy and Sluice and reports differing responses. Both servers have the same generated routes for each part
 * of the HTTP app.
 *   npm run requests -- [--count 200] [--seed 1] [--only SCENARIO] [--number N]
 * `--number` sends a single request of a scenario and prints its details.
 */
import { parseArgs } from 'node:util';
import { Random } from '../differential/random.ts';
import { ours, reference } from '../servers/commands.ts';
import { ServerProcess } from '../servers/server-process.ts';
import { ask, type ResponseLines } from './response-lines.ts';
import { makeFiles, removeFiles } from './files.ts';
import { bytesOf, type Request } from './request.ts';
import { configOf, routeField, type Scenario } from './scenario.ts';
import { scenarios } from './scenarios/index.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    number: { type: 'string' },
  },
});
const seed = Number(values.seed);

interface Case {
  readonly number: number;
  readonly route: number;
  readonly request: Request;
}

function makeCases(scenario: Scenario, routes: number): Case[] {
  const cases = Array.from({ length: Number(values.count) }, (_, number) => {
    const random = new Random(seed * 1_000_003 + number);
    const route = random.integer(0, routes - 1);
    const request = scenario.request(random);
    return {
      number,
      route,
      request: { ...request, fields: [[routeField, String(route)] as const, ...request.fields] },
    };
  });
  return values.number === undefined ? cases : cases.filter(({ number }) => number === Number(values.number));
}

/** Sends the requests of a scenario to both servers. Returns the number of requests with different responses. */
async function play(scenario: Scenario, servers: readonly ServerProcess[], folder: string): Promise<number> {
  const routes = scenario.routes(new Random(seed), folder);
  for (const server of servers) await server.load(configOf(routes, server.port));
  const cases = makeCases(scenario, routes.length);
  let different = 0;
  for (const { number, route, request } of cases) {
    const [theirs = [], mine = []] = await Promise.all(servers.map((server) => ask(server.port, request)));
    // Caddy sometimes aborts a contradictory response, such as a 405 with the Content-Length of a file. Such responses are not compared.
    if (theirs.join('\n') === mine.join('\n') || theirs.includes('cut')) continue;
    different++;
    console.log(
      `${scenario.name} ${number}: ${request.method} ${request.target} ${JSON.stringify(request.fields.slice(1))}`,
    );
    console.log(`  route ${route}: ${reported(routes[route])}`);
    if (values.number !== undefined) console.log(`  ${JSON.stringify(bytesOf(request).toString('latin1'))}`);
    for (const line of linesOf(theirs, mine)) console.log(`  ${line.slice(0, 400)}`);
  }
  console.log(`${scenario.name}, seed ${seed}: ${cases.length} requests, ${different} with different responses`);
  return different;
}

/** Formats a value as JSON with long strings truncated. */
function reported(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'string' && each.length > 80 ? `${each.slice(0, 20)}… (${each.length})` : each,
  );
}

function linesOf(theirs: ResponseLines, mine: ResponseLines): string[] {
  return [
    ...theirs.filter((line) => !mine.includes(line)).map((line) => `- ${line}`),
    ...mine.filter((line) => !theirs.includes(line)).map((line) => `+ ${line}`),
  ];
}

const command = reference();
if (command === null) console.log('requests skipped: caddy is not installed');
else {
  const folder = makeFiles();
  const servers = [await ServerProcess.start(command), await ServerProcess.start(ours)];
  try {
    let different = 0;
    for (const scenario of scenarios)
      if (values.only === undefined || scenario.name === values.only)
        different += await play(scenario, servers, folder);
    process.exitCode = different === 0 ? 0 : 1;
  } finally {
    for (const server of servers) await server.stop();
    removeFiles(folder);
  }
}
