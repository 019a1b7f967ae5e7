/** One recorded request: what it was, and when each of its steps ran. */
import { bytes, milliseconds } from '../../base/format.ts';
import { parseWhere, pointerOf } from '../../base/paths.ts';
import { Card } from '../../parts/basic.tsx';
import { linkTo } from '../../state/location.ts';

/** A recorded request, as `GET /traces` has it. */
export interface Trace {
  readonly id: string;
  readonly at: string;
  readonly server: string;
  readonly route: string | null;
  readonly route_id: string | null;
  readonly request: {
    readonly method: string;
    readonly proto: string;
    readonly host: string;
    readonly path: string;
    readonly query: string | null;
    readonly client_ip: string;
    readonly tls: object | null;
    readonly headers: Readonly<Record<string, readonly string[]>>;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, readonly string[]>>;
    readonly bytes: number;
  };
  readonly duration_ms: number;
  readonly upstream: string | null;
  readonly error: string | null;
  readonly steps: readonly {
    readonly path: string;
    readonly module: string;
    /** Left out by servers that record handlers alone. */
    readonly kind?: 'handler' | 'matcher';
    /** Of a handler whether it passed the request on, of a matcher what it said. */
    readonly verdict: boolean;
    readonly depth: number;
    readonly began_ms: number;
    readonly duration_ms: number;
    readonly own_ms: number;
  }[];
}

/** Draws it. */
export function Waterfall({ trace }: { trace: Trace }) {
  const { request, response, steps, duration_ms: duration, error, upstream, server } = trace;
  const scheme = request.tls === null ? 'http' : 'https';
  const url = `${scheme}://${request.host}${request.path}`;
  const share = (value: number): string => `${Math.min(100, (value / Math.max(duration, 0.001)) * 100).toFixed(2)}%`;
  return (
    <Card
      title={`${request.method} ${request.host}${request.path}`}
      side={<a href={linkTo('traffic', { tab: 'explain', url, method: request.method })}>Explain it</a>}
    >
      <dl class="facts">
        <dt>Response</dt>
        <dd>
          {response.status}, {bytes(response.bytes)}, {milliseconds(duration)}
        </dd>
        <dt>Client</dt>
        <dd>
          {request.client_ip}, {request.proto}, server {server}
        </dd>
        {upstream !== null && [<dt key="u">Upstream</dt>, <dd key="v">{upstream}</dd>]}
        {error !== null && [<dt key="e">Error</dt>, <dd key="f">{error}</dd>]}
      </dl>
      <ol class="waterfall">
        {steps.map((step, index) => (
          <li key={index}>
            <span style={{ paddingInlineStart: `${step.depth * 12}px` }}>
              <a href={linkTo('config', { path: pointerOf(parseWhere(step.path)) })}>
                {step.module.replace(/^http\.(?:handlers|matchers)\./, '')}
              </a>
              {step.kind === 'matcher' && <span class="soft"> {step.verdict ? 'matches' : 'does not match'}</span>}
            </span>
            <span class="lane">
              <span class="span" style={{ marginInlineStart: share(step.began_ms), width: share(step.duration_ms) }} />
            </span>
            <span class="number">{milliseconds(step.own_ms)}</span>
          </li>
        ))}
      </ol>
      <details class="pad">
        <summary>Header fields</summary>
        <pre>{fieldsOf(request.headers)}</pre>
        <pre>{fieldsOf(response.headers)}</pre>
      </details>
    </Card>
  );
}

function fieldsOf(headers: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(headers)
    .map(([name, values]) => `${name}: ${values.join(', ')}`)
    .join('\n');
}
