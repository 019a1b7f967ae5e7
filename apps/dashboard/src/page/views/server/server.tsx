/** The server process: threads, memory, tokens, modules, and CPU profiles. */
import { useSignal } from '@preact/signals';
import { calls } from '../../api/calls.ts';
import { bytes, localDateTime, percent, relative } from '../../base/format.ts';
import { isList, own, valueAt } from '../../base/json.ts';
import { Action } from '../../parts/action.tsx';
import { Live } from '../../parts/live.tsx';
import { Card, Empty, Heading, Problem, State } from '../../parts/basic.tsx';
import { numberColumns, Table } from '../../parts/table.tsx';
import { inForce } from '../../state/configuration.ts';
import { inFleet } from '../../state/fleet.ts';
import { has, version } from '../../state/server.ts';
import { useRead } from '../../state/read.ts';
import { FleetPanel } from './fleet.tsx';
import { Heap, type HeapStatistics } from './heap.tsx';
import { Modules } from './modules.tsx';
import { Profile } from './profile.tsx';
import { StepsPanel } from './rollout.tsx';

interface Vars {
  readonly pid: number;
  readonly node: string;
  readonly memory: { readonly rss: number; readonly heapUsed: number };
  readonly threads: readonly {
    readonly thread: number;
    readonly event_loop: { readonly utilization: number; readonly delay_p99: number };
    readonly heap: HeapStatistics;
  }[];
}

const every = 2000;

export function Server() {
  // The server runs one measurement at a time.
  const profiling = useSignal(false);
  const { value, problem } = useRead<Vars>(profiling.value ? null : calls.vars(), every);
  return (
    <>
      <Heading title="Server">
        {has(calls.upgrade) && (
          <Action
            label="Upgrade"
            call={calls.upgrade()}
            sure="Start a new process and hand over to it? In-flight requests will be completed."
            done="The new process has taken over"
          />
        )}
        <Action
          label="Stop"
          kind="danger"
          call={calls.stop()}
          sure="Stop the server? All sites and this dashboard will go offline."
          done="The server is stopping"
        />
      </Heading>
      {problem !== null && <Problem>{problem}</Problem>}
      {value !== null && (
        <div class="halves">
          <Card title="Process">
            <dl class="facts">
              <dt>Version</dt>
              <dd>{version.value}</dd>
              <dt>Process</dt>
              <dd>
                PID {value.pid}, Node.js {value.node}
              </dd>
              <dt>Memory (RSS)</dt>
              <dd>{bytes(value.memory.rss)}</dd>
            </dl>
          </Card>
          <Threads vars={value} />
        </div>
      )}
      {inFleet.value ? <FleetPanel /> : has(calls.rollout) && <StepsPanel />}
      {value !== null && <Heap threads={value.threads} />}
      <Tokens />
      <Profile busy={profiling} threads={value?.threads.map(({ thread }) => thread) ?? [0]} />
      <Modules />
    </>
  );
}

function Threads({ vars: { threads } }: { vars: Vars }) {
  return (
    <Card title="Threads">
      <Table columns={['Thread', ...numberColumns('Event loop utilization', 'p99 delay', 'Heap')]} isSteady isFocusable>
        {threads.map(({ thread, event_loop: loop, heap }) => (
          <tr key={thread}>
            <th scope="row">{thread === 0 ? '0 (control)' : `${thread} (requests)`}</th>
            <td class="number">
              <State key={loop.utilization} health={loop.utilization > 0.95 ? 'warn' : 'ok'}>
                {percent(loop.utilization, 1)}
              </State>
            </td>
            <td class="number">
              <Live text={`${Math.max(0, loop.delay_p99 - 10).toFixed(1)} ms`} />
            </td>
            <td class="number">
              <Live text={bytes(heap.used_heap_size)} />
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

function Tokens() {
  const tokens = valueAt(inForce.value.value, ['admin', 'tokens']);
  return (
    <Card title="Admin API tokens">
      {!isList(tokens) || tokens.length === 0 ? (
        <Empty>
          No tokens are configured: anyone who can reach the admin endpoint has full access. To create a token and its
          entry for <code>admin.tokens</code>, run <code>sluice token</code>.
        </Empty>
      ) : (
        <table class="list">
          <tbody>
            {tokens.map((token) => {
              const expires = own(token, 'expires');
              return (
                <tr key={String(own(token, 'name'))}>
                  <th scope="row">{String(own(token, 'name'))}</th>
                  <td>
                    {typeof expires === 'string' ? (
                      <time dateTime={expires} title={localDateTime(expires)}>
                        {Date.parse(expires) < Date.now() ? 'Expired' : 'Expires'} {relative(expires)}
                      </time>
                    ) : (
                      'Never expires'
                    )}
                  </td>
                  <td>
                    {own(token, 'permissions') === undefined ? (
                      'Full access'
                    ) : (
                      <code>{JSON.stringify(own(token, 'permissions'))}</code>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </Card>
  );
}
