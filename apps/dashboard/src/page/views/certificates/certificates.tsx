/** Certificates: failing certificates first, then by expiration. Private keys never leave the server. */
import { calls } from '../../api/calls.ts';
import { localDateTime, relative } from '../../base/format.ts';
import { byHealth } from '../../base/health.ts';
import { isObject, own, valueAt } from '../../base/json.ts';
import { Action } from '../../parts/action.tsx';
import { Card, Empty, Heading, Problem, State } from '../../parts/basic.tsx';
import { Search } from '../../parts/search.tsx';
import { Table } from '../../parts/table.tsx';
import { shown } from '../../state/configuration.ts';
import { certificateHealth, type Certificate } from '../../state/health.ts';
import { adjust, place } from '../../state/location.ts';
import { useRead } from '../../state/read.ts';
import { has } from '../../state/server.ts';
import { Authority } from './authority.tsx';

const every = 5000;
const words = { ok: 'Valid', warn: 'Expires soon', bad: 'Renewal failed' } as const;

export function Certificates() {
  const there = has(calls.certificates);
  const { value, problem, again } = useRead<readonly Certificate[]>(there ? calls.certificates() : null, every);
  const { find = '' } = place.value.values;
  const text = find.toLowerCase();
  const wanted = (value ?? []).filter((each) => namesOf(each).some((name) => name.toLowerCase().includes(text)));
  const sorted = [...wanted].sort(
    (a, b) =>
      byHealth(certificateHealth(a), certificateHealth(b)) || String(a.not_after).localeCompare(String(b.not_after)),
  );
  return (
    <>
      <Heading title="Certificates">
        <Search label="Search names" value={find} onFind={(typed) => adjust({ find: typed })} />
      </Heading>
      {problem !== null && <Problem>{problem}</Problem>}
      {!there && <Empty>This server does not list its certificates: it has no /certificates endpoint.</Empty>}
      {(value?.length ?? 0) > 0 && sorted.length === 0 && <Empty>No certificates match the search.</Empty>}
      {value?.length === 0 && (
        <Empty>
          <p>No certificates are loaded or managed.</p>
          <p>
            The server obtains and renews certificates automatically for the hosts of its routes, unless automatic HTTPS
            is disabled.
          </p>
        </Empty>
      )}
      {sorted.length > 0 && (
        <Card title="Certificates">
          <Table columns={['Names', 'State', 'Expires', 'Issuer', 'Renews']}>
            {sorted.map((each) => (
              <OneCertificate
                key={`${each.fingerprint ?? ''}${namesOf(each)[0] ?? ''}`}
                certificate={each}
                onRenew={again}
              />
            ))}
          </Table>
        </Card>
      )}
      {has(calls.authority) && authorities().map((id) => <Authority key={id} id={id} />)}
    </>
  );
}

function OneCertificate({ certificate, onRenew }: { certificate: Certificate; onRenew: () => void }) {
  const {
    not_after: end,
    not_before: start,
    issuer,
    issuers,
    identifier,
    managed,
    last_error: error,
    next_attempt: next,
    source,
  } = certificate;
  const health = certificateHealth(certificate);
  return (
    <tr>
      <th scope="row">
        <div class="chips">
          {namesOf(certificate).map((name) => (
            <span class="chip" key={name}>
              {name}
            </span>
          ))}
        </div>
        <details>
          <summary class="soft">Details</summary>
          <dl class="facts">
            {factsOf(certificate).map(([name, value]) => [
              <dt key={name}>{name}</dt>,
              <dd key={`${name}-value`}>{value}</dd>,
            ])}
          </dl>
        </details>
      </th>
      <td>
        <State health={health}>
          {end === undefined ? (error === null || error === undefined ? 'Pending' : 'Issuance failed') : words[health]}
        </State>
        {error !== null && error !== undefined && <div class="state bad wrap">{error}</div>}
      </td>
      <td>
        {end === undefined ? (
          '–'
        ) : (
          <>
            <time dateTime={end}>{relative(end)}</time>
            <div class="soft">
              <time dateTime={end} title={start === undefined ? undefined : `Valid from ${localDateTime(start)}`}>
                {localDateTime(end)}
              </time>
            </div>
          </>
        )}
      </td>
      <td>
        {issuer ?? issuers?.join(', ') ?? '–'}
        <div class="soft">{managed ? 'Managed' : `Loaded${source === undefined ? '' : ` from ${source}`}`}</div>
      </td>
      <td>
        {next === null || next === undefined ? (
          '–'
        ) : (
          <time dateTime={next} title={localDateTime(next)}>
            {relative(next)}
          </time>
        )}
        {managed && identifier !== undefined && has(calls.renew) && (
          <div>
            <Action
              label="Renew now"
              call={calls.renew({ name: identifier })}
              done={`Renewing the certificate for ${identifier}`}
              onDone={onRenew}
            />
          </div>
        )}
      </td>
    </tr>
  );
}

function namesOf({ identifier, names, subject }: Certificate): readonly string[] {
  const all = [identifier, ...(names ?? [])].filter((name) => name !== undefined && name !== '');
  return all.length === 0 ? [subject ?? ''] : [...new Set(all as string[])];
}

function factsOf({
  subject,
  serial_number: serial,
  key_algorithm: key,
  fingerprint,
  tags,
  source,
}: Certificate): (readonly [string, string])[] {
  const facts: (readonly [string, string | undefined])[] = [
    ['Subject', subject],
    ['Serial number', serial],
    ['Key algorithm', key],
    ['SHA-256 fingerprint', fingerprint],
    ['Tags', tags?.join(', ')],
    ['Source', source],
  ];
  return facts.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value] as const]));
}

function authorities(): string[] {
  const named = valueAt(shown.value, ['apps', 'pki', 'certificate_authorities']);
  const ids = isObject(named) ? Object.keys(named) : [];
  const isInternal = JSON.stringify(own(own(shown.value, 'apps'), 'tls') ?? null).includes('"internal"');
  return ids.length > 0 ? ids : isInternal ? ['local'] : [];
}
