/** Listeners of all servers, with connections and limits. */
import { calls } from '../../api/calls.ts';
import { bytes, milliseconds, short } from '../../base/format.ts';
import { Card, Problem } from '../../parts/basic.tsx';
import { Live } from '../../parts/live.tsx';
import { numberColumns, Table } from '../../parts/table.tsx';
import type { ServerListeners } from '../../state/listeners.ts';
import { useRead } from '../../state/read.ts';

const every = 10_000;

/** Names of limits in display order. */
const names: Readonly<Record<string, string>> = {
  read_header_timeout: 'header timeout',
  read_timeout: 'read timeout',
  read_idle_timeout: 'read idle timeout',
  write_timeout: 'write timeout',
  write_idle_timeout: 'write idle timeout',
  idle_timeout: 'idle timeout',
  max_header_bytes: 'max header size',
};

export function Listeners() {
  const { value, problem } = useRead<readonly ServerListeners[]>(calls.listeners(), every);
  if (problem !== null) return <Problem>{problem}</Problem>;
  if (value === null || value.length === 0) return null;
  return (
    <Card title="Listeners">
      <Table columns={['Server', 'Addresses', 'Protocols', ...numberColumns('Connections'), 'Limits']}>
        {value.map(({ server, listen, protocols, tls, connections, limits }) => (
          <tr key={server}>
            <th scope="row">{server}</th>
            <td>
              <code>{listen.join(', ')}</code>
            </td>
            <td>
              {protocols.join(', ')}
              {tls ? ', TLS' : ''}
            </td>
            <td class="number">
              <Live text={short(connections)} />
            </td>
            <td>
              <ul class="limits">
                {Object.entries(names).map(([key, name]) => (
                  <li key={key}>
                    <span class="soft">{name}</span> {limitText(key, limits[key] ?? 0)}
                  </li>
                ))}
              </ul>
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

function limitText(key: string, value: number): string {
  if (value === 0) return 'none';
  return key.endsWith('bytes') ? bytes(value) : milliseconds(value);
}
