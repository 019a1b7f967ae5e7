import { expect } from 'chai';
import fc from 'fast-check';
import type { DeferredFields, Logger, LogLevel } from '@sluice/base';
import { makeExchange } from '@sluice/testing';
import { AccessLog } from '../../src/server/access-log.ts';
import { HostLoggers } from '../../src/server/host-loggers.ts';
import type { ServerHandle } from '../../src/engine/server-handle.ts';

/** Returns an access log, and a function that returns its last entry as text and as an object. */
function accessLog(): { readonly log: AccessLog; last(): { text: object; fields: object } } {
  let entry = null as DeferredFields | null;
  const logger = {
    name: 'http.log.access',
    named: () => logger,
    defer: (_level: LogLevel, _message: string, deferred: DeferredFields) => {
      entry = deferred;
    },
  } as unknown as Logger;
  const loggers = new HostLoggers({ defaultName: '', names: new Map(), skipHosts: [], skipUnmapped: false }, logger);
  return {
    log: new AccessLog(loggers, false),
    last: () => {
      if (entry === null) throw new Error('nothing was logged');
      const { duration, ...fields } = entry.fields() as { duration: number };
      const text = JSON.parse(`{${entry.json()}}`) as { duration: number };
      expect(text.duration).to.be.closeTo(duration / 1000, 1e-8);
      return { text, fields: { ...fields, duration: text.duration } };
    },
  };
}

// Generates few distinct values, so that values recur and an incorrectly cached result is detected.
const text = fc.constantFrom('a.test', 'b.test', 'ü"\\\n', '');
const requests = fc.record({
  method: fc.constantFrom('GET', 'POST', 'X"Y'),
  path: fc.constantFrom('/', '/a?b=1', '/"quote"?x'),
  host: text,
  proto: fc.constantFrom('HTTP/1.1', 'HTTP/2.0'),
  headers: fc.dictionary(fc.constantFrom('accept', 'cookie', 'x'), fc.constantFrom('1', '2', 'ü"')),
  connection: fc.integer({ min: 0, max: 3 }),
  clientIp: fc.constantFrom('192.0.2.1', '192.0.2.9'),
  user: text,
  status: fc.constantFrom(200, 404, 500),
  type: text,
});

describe('access log', () => {
  it('the access log formats entries identically as text and as an object, regardless of earlier entries', () => {
    fc.assert(
      fc.property(fc.array(requests, { minLength: 1, maxLength: 40 }), (list) => {
        const { log, last } = accessLog();
        const connections = [0, 1, 2].map((i) => ({
          remoteAddress: '192.0.2.1',
          remotePort: 1000 + i,
          notes: { opening: null, point: null },
        }));
        for (const { status, type, user, clientIp, ...request } of list) {
          const exchange = makeExchange({ ...request, connection: connections[request.connection] ?? {} });
          exchange.server = { clientIp: () => clientIp } as unknown as ServerHandle;
          if (user !== '') exchange.setPlaceholder('http.auth.user.id', user);
          exchange.writer.headers.set('content-type', type);
          exchange.writer.writeHead(status);
          log.write(exchange, true);
          const { text: written, fields } = last();
          expect(written).to.deep.equal(fields);
        }
      }),
      { numRuns: 300 },
    );
  });
});
