/** A certificate authority of this server, with its certificates for clients to trust. */
import { calls } from '../../api/calls.ts';
import { copy } from '../../parts/action.tsx';
import { Card, Problem } from '../../parts/basic.tsx';
import { useRead } from '../../state/read.ts';

interface AuthorityFacts {
  readonly id: string;
  readonly name: string;
  readonly root_common_name: string;
  readonly intermediate_common_name: string;
  readonly root_certificate: string;
  readonly intermediate_certificate: string;
}

export function Authority({ id }: { id: string }) {
  const { value, problem } = useRead<AuthorityFacts>(calls.authority({ id }));
  return (
    <Card title={`Certificate authority ${value?.name ?? id}`}>
      {problem !== null && <Problem>{problem}</Problem>}
      {value !== null && (
        <dl class="facts">
          <dt>Root</dt>
          <dd>
            {value.root_common_name}{' '}
            <button type="button" onClick={() => void copy(value.root_certificate, 'Root certificate')}>
              Copy as PEM
            </button>
          </dd>
          <dt>Intermediate</dt>
          <dd>
            {value.intermediate_common_name}{' '}
            <button type="button" onClick={() => void copy(value.intermediate_certificate, 'Intermediate certificate')}>
              Copy as PEM
            </button>
          </dd>
        </dl>
      )}
    </Card>
  );
}
