import { expect } from 'chai';
import {
  connectionOf,
  failOwner,
  guarded,
  onFault,
  reportFault,
  runGuarded,
  taskOf,
  unawaited,
  type Fault,
} from '@sluice/base';

describe('guard', () => {
  let faults: Fault[];
  let stop: () => void;
  beforeEach(() => {
    faults = [];
    stop = onFault((fault) => void faults.push(fault));
  });
  afterEach(() => stop());
  const mistake = new Error('a mistake');
  const owner = (failures: unknown[]) => ({ fault: (error: unknown) => void failures.push(error) });

  it('guarded() passes arguments to the callback, and exceptions to the owner', () => {
    const failures: unknown[] = [];
    const seen: unknown[] = [];
    const callback = guarded(owner(failures), (a: number, b: string) => {
      seen.push(a, b);
      if (a === 2) throw mistake;
    });
    callback(1, 'x');
    callback(2, 'y');
    expect(seen).to.deep.equal([1, 'x', 2, 'y']);
    expect(failures).to.deep.equal([mistake]);
    runGuarded(owner(failures), () => {
      throw mistake;
    });
    expect(failures).to.deep.equal([mistake, mistake]);
  });

  it('unawaited() passes a promise rejection to the owner', async () => {
    const failures: unknown[] = [];
    unawaited(owner(failures), Promise.reject(mistake));
    unawaited(owner(failures), Promise.resolve());
    await Promise.resolve();
    expect(failures).to.deep.equal([mistake]);
  });

  it('failOwner reports both errors if the owner throws as well', () => {
    const second = new Error('and another');
    failOwner(
      {
        fault: () => {
          throw second;
        },
      },
      mistake,
    );
    expect(faults.map(({ part, error }) => [part, error])).to.deep.equal([
      ['task', mistake],
      ['task', second],
    ]);
  });

  it('connectionOf closes the socket if its callback fails', () => {
    let destroyed = 0;
    connectionOf({ destroy: () => ++destroyed }).fault(mistake);
    expect(destroyed).to.equal(1);
    expect(faults).to.deep.equal([{ part: 'connection', error: mistake, module: '', route: '', log: null }]);
  });

  it('taskOf reports faults with the module ID', () => {
    taskOf('tls').fault(mistake);
    reportFault({ part: 'exchange', error: mistake, route: 'apps.http' });
    expect(faults).to.deep.equal([
      { part: 'task', error: mistake, module: 'tls', route: '', log: null },
      { part: 'exchange', error: mistake, module: '', route: 'apps.http', log: null },
    ]);
    stop();
    taskOf('tls').fault(mistake);
    expect(faults).to.have.length(2);
  });
});
