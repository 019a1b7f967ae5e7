/** Sends generated requests over connections. Verifies that they reach the same routes as requests processed without a connection. */
import { connect } from 'node:net';
import { once } from 'node:events';
import { freePort, serve } from '@sluice/testing';
import { Random } from '../differential/random.ts';
import { bytesOf, type Message } from '../exchange.ts';
import { Marks } from './marks.ts';
import { Situation } from './situation.ts';
import { exchangeFor, type WrongClaim } from './trial.ts';

export interface HttpResult {
  requests: number;
  /** Total number of configuration paths that the requests reached. */
  reached: number;
  readonly wrong: WrongClaim[];
  /** Requests that reached different routes when sent over a connection. */
  readonly different: unknown[];
}

export async function tryOverHttp(plan: {
  readonly seed: number;
  readonly requests: number;
  readonly each: number;
}): Promise<HttpResult> {
  const result: HttpResult = { requests: 0, reached: 0, wrong: [], different: [] };
  const marks = new Marks();
  const port = await freePort();
  const server = await serve({ apps: {} }, { register: [marks.register], standard: true });
  try {
    for (let number = 0; result.requests < plan.requests; number++) {
      const random = new Random(plan.seed * 7919 + number);
      const situation = await Situation.begin(server, random, { scheme: 'http', listen: [`127.0.0.1:${port}`] });
      for (let i = 0; i < plan.each; i++, result.requests++) {
        const { message, overTls } = situation.request().request;
        // The server rejects HTTP/1.1 requests without a Host field.
        const host = message.host === '' ? 'test' : message.host;
        const request = { message: { ...message, host }, overTls, client: '127.0.0.1' };
        const here = await marks.during(() => situation.running.handle(exchangeFor(request)));
        const there = await marks.during(() => send(request.message, port));
        result.reached += there.size;
        const claim = situation.wrongClaim(there);
        if (claim !== null) result.wrong.push({ claim, request, configuration: situation.document });
        if ([...here].join() !== [...there].join())
          result.different.push({ request, here: [...here], there: [...there], configuration: situation.document });
      }
    }
  } finally {
    await server.close();
  }
  return result;
}

/** Sends a request over a new connection and waits until the server closes it. */
async function send(message: Message, port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  // A connection reset is also a valid end of the connection.
  socket.on('error', () => {});
  socket.end(bytesOf({ ...message, headers: { ...message.headers, Connection: ['close'] } }));
  socket.resume();
  await once(socket, 'close');
}
