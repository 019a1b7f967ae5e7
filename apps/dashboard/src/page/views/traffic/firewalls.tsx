/** Web application firewalls: engines with their counters, and the rules that blocked requests. */
import { calls } from '../../api/calls.ts';
import { count, milliseconds, short } from '../../base/format.ts';
import { Card, Empty, Problem, State } from '../../parts/basic.tsx';
import { Live } from '../../parts/live.tsx';
import { numberColumns, Table } from '../../parts/table.tsx';
import { useRead } from '../../state/read.ts';

/** Interval of reads in milliseconds. */
const every = 5000;

interface BlockingRule {
  readonly rule: number;
  readonly phase: number;
  readonly count: number;
}

interface Engine {
  readonly rules: string;
  readonly state: 'running' | 'restarting';
  readonly pid: number | null;
  readonly restarts: number;
  readonly last_exit: string | null;
  readonly passed: number;
  readonly blocked: number;
  readonly unavailable: number;
  readonly uninspected: number;
  readonly in_flight: number;
  readonly p50_ms: number | null;
  readonly p99_ms: number | null;
  readonly blocked_by: readonly BlockingRule[];
}

const phases = ['', 'Request header', 'Request body', 'Response header', 'Response body', 'Logging'];
const columns = [
  'Rule set',
  'Engine',
  ...numberColumns('Passed', 'Blocked', 'Unavailable', 'Uninspected', 'In flight', 'p50', 'p99', 'Restarts'),
];
const ruleColumns = ['Rule', 'Phase', ...numberColumns('Blocked')];

export function Firewalls() {
  const { value: engines, problem } = useRead<readonly Engine[]>(calls.waf(), every);
  if (problem !== null) return <Problem>{problem}</Problem>;
  if (engines === null) return <p class="soft">Loading…</p>;
  if (engines.length === 0)
    return (
      <Empty>
        No web application firewall is configured. The <code>waf</code> handler inspects requests and responses.
      </Empty>
    );
  return (
    <>
      <Card title={count(engines.length, 'firewall engine')}>
        <Table columns={columns}>
          {engines.map((engine, index) => (
            <EngineRow key={index} engine={engine} />
          ))}
        </Table>
      </Card>
      <Card title="Blocked requests by rule">
        <Rules rules={engines.flatMap(({ blocked_by: rules }) => rules)} />
      </Card>
    </>
  );
}

function EngineRow({ engine }: { engine: Engine }) {
  const { rules, state, pid, last_exit: lastExit, restarts, p50_ms: p50, p99_ms: p99 } = engine;
  const counters = [engine.passed, engine.blocked, engine.unavailable, engine.uninspected, engine.in_flight];
  return (
    <tr>
      <th scope="row">
        <span class="wrap">{rules}</span>
      </th>
      <td>
        {state === 'running' ? (
          <State health="ok">running, process {pid}</State>
        ) : (
          <State health="bad">restarting, exited with {lastExit}</State>
        )}
      </td>
      {counters.map((value, index) => (
        <td key={index} class="number">
          <Live text={short(value)} />
        </td>
      ))}
      <td class="number">{latency(p50)}</td>
      <td class="number">{latency(p99)}</td>
      <td class="number">
        <Live text={short(restarts)} />
      </td>
    </tr>
  );
}

/** The server reports the upper bound of a histogram bucket. */
function latency(value: number | null): string {
  return value === null ? '–' : `≤ ${milliseconds(value)}`;
}

function Rules({ rules }: { rules: readonly BlockingRule[] }) {
  if (rules.length === 0) return <p class="soft">No request has been blocked.</p>;
  return (
    <Table columns={ruleColumns}>
      {rules
        .toSorted((a, b) => b.count - a.count)
        .map(({ rule, phase, count: blocked }, index) => (
          <tr key={index}>
            <th scope="row">
              <code>{rule}</code>
            </th>
            <td>{phases[phase] ?? phase}</td>
            <td class="number">
              <Live text={short(blocked)} />
            </td>
          </tr>
        ))}
    </Table>
  );
}
