/** Details of a recorded request, with a waterfall of its handlers and matchers. */
import { useEffect, useRef } from 'preact/hooks';
import { bytes, localTimestamp, milliseconds } from '../../base/format.ts';
import { parseWhere, pointerOf } from '../../base/paths.ts';
import { linkTo } from '../../state/location.ts';
import { MakeTest } from './make-test.tsx';

/** A recorded request, as returned by `GET /traces`. */
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
    /** Missing if the server records only handlers. */
    readonly kind?: 'handler' | 'matcher';
    /** For a handler: true if it called the next handler. For a matcher: its result. */
    readonly verdict: boolean;
    readonly depth: number;
    readonly began_ms: number;
    readonly duration_ms: number;
    readonly own_ms: number;
  }[];
}

/** Renders the details, and scrolls to them. */
export function Waterfall({ trace }: { trace: Trace }) {
  const frame = useRef<HTMLElement>(null);
  useEffect(() => frame.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [trace.id]);
  const { at, request, response, steps, duration_ms: duration, error, upstream, server } = trace;
  const scheme = request.tls === null ? 'http' : 'https';
  const url = `${scheme}://${request.host}${request.path}`;
  const share = (value: number): string => `${Math.min(100, (value / Math.max(duration, 0.001)) * 100).toFixed(2)}%`;
  return (
    <section ref={frame} class="trace" aria-label={`Trace of ${request.method} ${request.host}${request.path}`}>
      <div class="row">
        <a href={linkTo('traffic', { tab: 'explain', url, method: request.method })}>Explain this request</a>
        <MakeTest of={{ trace: { ...trace, steps: [] } }} />
      </div>
      <dl class="facts">
        <dt>Time</dt>
        <dd>{localTimestamp(at)}</dd>
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
              {step.kind === 'matcher' && <span class="soft"> {step.verdict ? 'matched' : 'not matched'}</span>}
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
        <h3>Request</h3>
        <pre>{fieldsOf(request.headers)}</pre>
        <h3>Response</h3>
        <pre>{fieldsOf(response.headers)}</pre>
      </details>
    </section>
  );
}

function fieldsOf(headers: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(headers)
    .map(([name, values]) => `${name}: ${values.join(', ')}`)
    .join('\n');
}
