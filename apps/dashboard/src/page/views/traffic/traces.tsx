/** Recorded requests with the time spent in each handler. The server removes secrets before storing traces. */
import { Fragment } from 'preact';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { calls } from '../../api/calls.ts';
import { listen } from '../../api/events.ts';
import { count, localDateTime, localTime, milliseconds } from '../../base/format.ts';
import type { JsonObject } from '../../base/json.ts';
import { Action } from '../../parts/action.tsx';
import { Card, Empty, Field, Problem, State } from '../../parts/basic.tsx';
import { PlaceLink } from '../../parts/place-link.tsx';
import { numberColumns, Table } from '../../parts/table.tsx';
import { Waterfall, type Trace } from './waterfall.tsx';

const kept = 500;
const columns = ['Time', 'Request', 'Status', ...numberColumns('Duration'), 'Route'];

export function Traces() {
  const host = useSignal('');
  const path = useSignal('');
  const status = useSignal('');
  const traces = useSignal<readonly Trace[]>([]);
  const recording = useSignal<string>('');
  const problem = useSignal<string | null>(null);
  const chosen = useSignal<string | null>(null);
  useEffect(
    () =>
      listen(calls.traces(), {
        onState: (reason) => void (problem.value = reason),
        onEvent: ({ name, data }) => {
          if (name === 'trace') {
            const trace = data as Trace;
            traces.value = [...traces.value.filter(({ id }) => id !== trace.id).slice(1 - kept), trace];
          }
          if (name === 'recording') recording.value = (data as { readonly state: string }).state;
        },
      }),
    [],
  );
  const match: JsonObject = {
    ...(host.value === '' ? {} : { host: host.value }),
    ...(path.value === '' ? {} : { path: path.value }),
    ...(status.value === '' ? {} : { status: status.value }),
    count: 100,
    seconds: 60,
  };
  return (
    <>
      <Card title="Record traces">
        <div class="form">
          <p class="soft">Records the next 100 matching requests, for up to 60 s.</p>
          <div class="three-fields">
            <Field label="Host">
              <input
                placeholder="Any"
                value={host.value}
                onInput={(event) => void (host.value = event.currentTarget.value.trim())}
              />
            </Field>
            <Field label="Path">
              <input
                placeholder="All paths; example: /cart*"
                value={path.value}
                onInput={(event) => void (path.value = event.currentTarget.value.trim())}
              />
            </Field>
            <Field label="Status">
              <input
                placeholder="All statuses; example: 5xx"
                value={status.value}
                onInput={(event) => void (status.value = event.currentTarget.value.trim())}
              />
            </Field>
          </div>
          <div class="row">
            <Action
              kind="main"
              label="Record"
              call={calls.record({}, { json: match })}
              done="Recording started"
              onDone={() => void (recording.value = 'recording')}
            />
            <Action
              label="Stop and clear"
              call={calls.endTraces()}
              done="Recording stopped; traces cleared"
              onDone={() => void ((traces.value = []), (recording.value = ''), (chosen.value = null))}
            />
            {recording.value === 'recording' && <State health="ok">Recording</State>}
          </div>
        </div>
      </Card>
      {problem.value !== null && <Problem>{problem.value}</Problem>}
      {traces.value.length === 0 ? (
        <Empty>
          {recording.value === 'recording'
            ? 'Waiting for a matching request.'
            : 'No traces yet. Record traces to see the time spent in each handler.'}
        </Empty>
      ) : (
        <Card title={count(traces.value.length, 'request')}>
          <Table columns={columns}>
            {traces.value.toReversed().map((trace) => (
              <Fragment key={trace.id}>
                <TraceRow
                  trace={trace}
                  isOpen={trace.id === chosen.value}
                  onToggle={() => void (chosen.value = chosen.value === trace.id ? null : trace.id)}
                />
                {trace.id === chosen.value && (
                  <tr class="details-row">
                    <td colSpan={columns.length}>
                      <Waterfall trace={trace} />
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
          </Table>
        </Card>
      )}
    </>
  );
}

function TraceRow({ trace, isOpen, onToggle }: { trace: Trace; isOpen: boolean; onToggle: () => void }) {
  const { at, request, response, duration_ms: duration, route } = trace;
  const { status } = response;
  return (
    <tr class={isOpen ? 'selected' : undefined}>
      <td>
        <time dateTime={at} title={localDateTime(at)}>
          {localTime(at)}
        </time>
      </td>
      <th scope="row">
        <button type="button" class="text" aria-expanded={isOpen} onClick={onToggle}>
          {request.method} {request.host}
          {request.path}
        </button>
      </th>
      <td>
        <State health={status >= 500 || status === 0 ? 'bad' : status >= 400 ? 'warn' : 'ok'}>
          {status === 0 ? 'aborted' : status}
        </State>
      </td>
      <td class="number">{milliseconds(duration)}</td>
      <td>{route === null ? '–' : <PlaceLink where={route} />}</td>
    </tr>
  );
}
