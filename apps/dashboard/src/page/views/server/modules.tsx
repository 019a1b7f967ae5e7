/** Modules of the server, from the configuration schema. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { count, short } from '../../base/format.ts';
import { isObject, own } from '../../base/json.ts';
import { Card } from '../../parts/basic.tsx';
import { Search } from '../../parts/search.tsx';
import { readSchema } from '../../state/server.ts';

const maxRows = 200;

export function Modules() {
  const all = useSignal<readonly (readonly [id: string, text: string])[]>([]);
  const find = useSignal('');
  useEffect(() => {
    readSchema()
      .then((schema) => {
        const definitions = own(schema, '$defs');
        const named = isObject(definitions)
          ? Object.entries(definitions).filter(([id, each]) => own(each, 'title') === id)
          : [];
        all.value = named.map(([id, each]) => [id, String(own(each, 'description') ?? '')] as const);
      })
      .catch(() => undefined);
  }, []);
  const wanted = all.value.filter(([id, text]) => `${id} ${text}`.toLowerCase().includes(find.value.toLowerCase()));
  return (
    <Card
      title={count(all.value.length, 'module')}
      side={<Search label="Search modules" value={find.value} onFind={(text) => void (find.value = text)} />}
    >
      <ul class="modules pad">
        {wanted.slice(0, maxRows).map(([id, text]) => (
          <li key={id}>
            <code>{id}</code> <span class="soft">{text}</span>
          </li>
        ))}
        {wanted.length === 0 && all.value.length > 0 && <li class="soft">No modules match the search.</li>}
        {wanted.length > maxRows && <li class="soft">{short(wanted.length - maxRows)} more are not shown.</li>}
      </ul>
    </Card>
  );
}
