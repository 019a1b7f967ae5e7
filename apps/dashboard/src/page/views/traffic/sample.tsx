/** The sample of recorded requests that changes are compared with. The server removes secrets before it stores them. */
import { calls } from '../../api/calls.ts';
import { count, localDateTime, milliseconds } from '../../base/format.ts';
import { Action } from '../../parts/action.tsx';
import { Card, Empty, Problem, State } from '../../parts/basic.tsx';
import { usePages } from '../../parts/pager.tsx';
import { PlaceLink } from '../../parts/place-link.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { numberColumns, Table } from '../../parts/table.tsx';
import { linkTo } from '../../state/location.ts';
import { useRead } from '../../state/read.ts';

/** A recorded request. */
interface Recorded {
  readonly at: string;
  readonly route: string | null;
  readonly request: {
    readonly method: string;
    readonly host: string;
    readonly path: string;
    readonly query: string | null;
    readonly tls?: unknown;
  };
  readonly response: { readonly status: number };
  readonly duration_ms: number;
  readonly upstream: string | null;
}

/** Response of `GET /samples`. */
interface SampleOfRequests {
  /** Maximum number per route and host; 0 if the server records none. */
  readonly per_route: number;
  readonly requests: readonly Recorded[];
}

const pageSize = 50;
const columns = ['Time', 'Request', 'Status', ...numberColumns('Duration'), 'Route', 'Upstream'];

export function Sample() {
  const { value, problem } = useRead<SampleOfRequests>(calls.samples());
  const requests = value?.requests ?? [];
  const { rows, pager } = usePages(requests, pageSize, 'Pages of recorded requests');
  if (problem !== null) return <Problem>{problem}</Problem>;
  if (value === null) return <p class="soft">Loading…</p>;
  if (requests.length === 0)
    return (
      <Empty>
        {value.per_route === 0
          ? 'Request sampling is disabled (apps.http.samples).'
          : 'No requests have been recorded yet. The server records a random sample for each route and host.'}
      </Empty>
    );
  return (
    <Card
      title={count(requests.length, 'recorded request')}
      side={
        <Action
          label="Download HAR"
          call={calls.samples({}, { query: { format: 'har' } })}
          onDone={(_, text) => saveFile('requests.har', 'application/json', text)}
        />
      }
    >
      <Table columns={columns}>
        {rows.map((each, index) => (
          <Row key={index} {...each} />
        ))}
      </Table>
      {pager}
    </Card>
  );
}

function Row({ at, request, response: { status }, duration_ms: took, route, upstream }: Recorded) {
  const { method, host, path, query, tls } = request;
  const target = `${host}${path}${query === null || query === '' ? '' : `?${query}`}`;
  const url = `${tls ? 'https' : 'http'}://${target}`;
  return (
    <tr>
      <td>
        <time dateTime={at}>{localDateTime(at)}</time>
      </td>
      <th scope="row">
        <a href={linkTo('traffic', { tab: 'explain', url })} title="Explain this request">
          {method} {target}
        </a>
      </th>
      <td>
        <State health={status >= 500 || status === 0 ? 'bad' : status >= 400 ? 'warn' : 'ok'}>
          {status === 0 ? 'aborted' : status}
        </State>
      </td>
      <td class="number">{milliseconds(took)}</td>
      <td>{route === null ? '–' : <PlaceLink where={route} />}</td>
      <td>{upstream ?? '–'}</td>
    </tr>
  );
}
