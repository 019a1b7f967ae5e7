/** The modules that the server has, by the schema of its configuration. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isObject, own } from '../../base/json.ts';
import { Card } from '../../parts/basic.tsx';
import { Search } from '../../parts/search.tsx';
import { readSchema } from '../../state/server.ts';

/** A list that is searched as one types. */
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
      title={`Modules (${all.value.length})`}
      side={<Search label="Search modules" value={find.value} onFind={(text) => void (find.value = text)} />}
    >
      <ul class="modules pad">
        {wanted.slice(0, 200).map(([id, text]) => (
          <li key={id}>
            <code>{id}</code> <span class="soft">{text}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
