/** Requests that a change handles differently, grouped by cause, and requests that could not be compared. */
import {
  effectOf,
  headlineOf,
  hostsText,
  totalsOf,
  type BehaviorGroup,
  type BehaviorReport,
  type Example,
  type Undecided,
} from '../base/behavior.ts';
import { count, short } from '../base/format.ts';
import type { Json } from '../base/json.ts';
import { titleOf } from '../base/names.ts';
import { parseWhere } from '../base/paths.ts';
import { State } from './basic.tsx';
import { PlaceName } from './place-link.tsx';

interface BehaviorProps {
  /** `undefined` if the token used to test the change cannot see requests. */
  readonly report: BehaviorReport | undefined;
  /** Documents that name the routes; `undefined` if unknown. */
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

export function Behavior({ report, before, after }: BehaviorProps) {
  if (report === undefined)
    return (
      <section aria-label="Behavior" class="pad">
        <h3>Requests were not compared</h3>
        <p class="soft">The token used to test the change does not have permission for POST /explain/plan.</p>
      </section>
    );
  const { recorded, different, undecided, groups, more_groups: more, undecided_because: reasons } = report;
  const isSame = different === 0 && groups.length === 0;
  return (
    <section aria-label="Behavior" class="pad behavior">
      <h3>
        <State health={isSame ? (recorded > 0 && undecided === 0 ? 'ok' : 'idle') : 'warn'}>{headlineOf(report)}</State>
      </h3>
      <p class="soft">
        {totalsOf(report)} {recorded === 0 && 'The server has no recorded requests to compare.'}
      </p>
      <Groups groups={groups} more={more} before={before} after={after} />
      {reasons.length > 0 && <LeftOut title="Undecided" reasons={reasons} />}
    </section>
  );
}

interface GroupsProps extends Omit<BehaviorProps, 'report'> {
  readonly groups: readonly BehaviorGroup[];
  readonly more: number;
}

export function Groups({ groups, more, before, after }: GroupsProps) {
  return (
    <ul class="groups">
      {groups.map((group, index) => (
        <Group key={index} group={group} before={before} after={after} />
      ))}
      {more > 0 && <li class="soft">{count(more, 'more group')} not shown.</li>}
    </ul>
  );
}

function Group({ group, before, after }: { group: BehaviorGroup } & Omit<BehaviorProps, 'report'>) {
  const { summary, recorded, count: all, route_before: from, route_after: to, examples } = group;
  const hosts = hostsText(group);
  const [example] = examples;
  // An added route can take the position of another route.
  const isOther = from !== to || nameOf(from, before) !== nameOf(to, after);
  return (
    <li>
      <div class="summary">{summary}</div>
      <dl>
        {hosts !== '' && (
          <>
            <dt>Hosts</dt>
            <dd>{hosts}</dd>
          </>
        )}
        {(from !== null || to !== null) && (
          <>
            <dt>Route</dt>
            <dd>
              <Route where={from} document={before} />
              {isOther && (
                <>
                  {' → '}
                  <Route where={to} document={after} />
                </>
              )}
            </dd>
          </>
        )}
        {all > 0 && (
          <>
            <dt>Requests</dt>
            <dd>
              {short(recorded)} recorded, {short(all - recorded)} generated
            </dd>
          </>
        )}
        {example !== undefined && (
          <>
            <dt>Example</dt>
            <dd>
              <OneExample example={example} />
            </dd>
          </>
        )}
      </dl>
    </li>
  );
}

function nameOf(where: string | null, document: Json | undefined): string {
  return where === null ? '' : titleOf(document, parseWhere(where));
}

function OneExample({ example }: { example: Example }) {
  const { method, url } = example.request;
  const { label, before, after } = effectOf(example);
  return (
    <>
      <code>
        {method} {url}
      </code>
      <div>
        {label !== '' && `${label}: `}
        <span class="minus">{before}</span> → <span class="plus">{after}</span>
      </div>
    </>
  );
}

function Route({ where, document }: { where: string | null; document: Json | undefined }) {
  return where === null ? <>none</> : <PlaceName path={parseWhere(where)} document={document} />;
}

/** Requests without a result, by reason. */
export function LeftOut({ title, reasons }: { title: string; reasons: readonly Undecided[] }) {
  return (
    <>
      <h4>{title}</h4>
      <ul class="groups">
        {reasons.map(({ reason, count: number, example }, index) => (
          <li key={index}>
            <div class="summary">
              {count(number, 'request')}: {reason}
            </div>
            <div class="soft">
              Example:{' '}
              <code>
                {example.method} {example.url}
              </code>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
