import { expect } from 'chai';
import { selectRecorded } from '../../src/shadow/shadow-requests.ts';

interface RecordOptions {
  readonly method?: string;
  readonly path?: string;
  readonly query?: string | null;
  readonly route?: string;
  readonly headers?: Record<string, string[]>;
  readonly bytes?: number;
  readonly body?: string;
}

describe('selectRecorded', () => {
  const record = ({ route = 'r', method = 'GET', path = '/', query = null, headers = {}, ...more }: RecordOptions) => ({
    server: 's',
    route,
    request: {
      ...{ method, proto: 'HTTP/1.1', host: 'x.test', path, query, client_ip: '192.0.2.1', remote_port: 1 },
      ...{ tls: null, headers, ...more },
    },
    response: { status: 200 },
    upstream: null,
  });

  it('selectRecorded takes requests from each route in turn, so that rarely used routes are included', () => {
    const busy = Array.from({ length: 10 }, (_, i) => record({ path: `/${i}` }));
    const { requests } = selectRecorded([...busy, record({ route: 'rare', path: '/rare' })], 3, false);
    expect(requests.map(({ request: { url } }) => url)).to.deep.equal([
      'http://x.test/0',
      'http://x.test/rare',
      'http://x.test/1',
    ]);
  });

  for (const [title, options, reason] of [
    ['an unsafe method', { method: 'POST' }, 'POST is not a safe method'],
    ['an upgrade', { headers: { upgrade: ['websocket'] } }, 'upgraded connections are not replayed'],
    ['a secret in the query', { query: 'token=REDACTED' }, 'the query contains a secret, which is not recorded'],
    [
      'a secret in the body',
      { bytes: 9, body: '{"pin":"REDACTED"}', method: 'OPTIONS' },
      'the body contains a secret, which is not recorded',
    ],
    ['a body that was not recorded', { bytes: 7 }, 'the body is not recorded'],
  ] as const)
    it(`selectRecorded excludes a request with ${title}`, () => {
      const { requests, leftOut } = selectRecorded([record(options as RecordOptions)], 10, false);
      expect(requests).to.deep.equal([]);
      expect(leftOut.map((each) => each.reason)).to.deep.equal([reason]);
    });

  it('selectRecorded removes fields that contain secrets, and keeps recorded bodies', () => {
    const headers = { cookie: ['REDACTED'], accept: ['x'], authorization: ['Bearer REDACTED'] };
    const { requests } = selectRecorded([record({ method: 'POST', headers, bytes: 2, body: 'hi' })], 10, true);
    expect(requests[0]?.request.headers).to.deep.equal({ accept: ['x'] });
    expect(requests[0]?.request.body).to.equal('hi');
  });
});
