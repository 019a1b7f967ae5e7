/** The live log, server events, and log levels. */
import { Heading } from '../../parts/basic.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { filterNames } from '../../base/log-line.ts';
import { adjust, place } from '../../state/location.ts';
import { Events } from './events.tsx';
import { Levels } from './levels.tsx';
import { LiveLog } from './live-log.tsx';

const noFilters = Object.fromEntries(filterNames.map((name) => [name, '']));

export function Logs() {
  const { tab = 'live' } = place.value.values;
  return (
    <>
      <Heading title="Logs and events" />
      <Tabs
        label="Logs and events"
        tabs={{ live: 'Live log', events: 'Events', levels: 'Log levels' }}
        selected={tab}
        onSelect={(next) => adjust({ ...noFilters, tab: next })}
      />
      {tab === 'live' && <LiveLog />}
      {tab === 'events' && <Events />}
      {tab === 'levels' && <Levels />}
    </>
  );
}
