import { expect } from 'chai';
import { taskOf } from '@sluice/base';
import { setTimeout as sleep } from 'node:timers/promises';
import { allocateSharedCells, SharedCells } from '@sluice/threads';
import { FairLimit, type LimitBounds } from '../../src/common/fair-limit.ts';

/** State for one key, shared by several simulated threads. */
class Scene {
  bounds: LimitBounds;
  readonly admitted: string[] = [];
  readonly cells: readonly SharedCells[];
  readonly threads: readonly FairLimit[];
  readonly #leave = new Map<string, () => boolean>();

  constructor(bounds: LimitBounds, threads = 2) {
    this.bounds = bounds;
    const memory = allocateSharedCells({ capacity: 16, threads });
    this.cells = Array.from({ length: threads }, (_, i) => new SharedCells(memory, i));
    this.threads = this.cells.map(
      (cells) =>
        new FairLimit({
          cell: cells.acquire('k'),
          task: taskOf('test'),
          bounds: () => this.bounds,
          onIdle: () => undefined,
        }),
    );
  }

  /** Simulates a request in a thread. Returns `admitted`, `queued` or `rejected`. */
  arrive(name: string, thread = 0): string {
    const limit = this.threads[thread]!;
    if (limit.enter() !== null) return 'admitted';
    const leave = limit.queue({ admit: () => void this.admitted.push(name) });
    if (leave === null) return 'rejected';
    this.#leave.set(name, leave);
    return 'queued';
  }

  giveUp(name: string): boolean {
    return this.#leave.get(name)!();
  }

  complete(thread = 0): void {
    this.threads[thread]!.complete();
  }

  /** Waits until the given queued requests have been admitted. */
  async admits(...names: string[]): Promise<void> {
    const end = performance.now() + 4000;
    while (this.admitted.length < names.length && performance.now() < end) await sleep(1);
    expect(this.admitted).to.deep.equal(names);
  }
}

describe('FairLimit', () => {
  it('FairLimit admits up to max requests, queues further requests, and rejects requests when the queue is full', () => {
    const scene = new Scene({ max: 2, queue: 1 });
    const results = [0, 1, 0, 1].map((thread, i) => scene.arrive(`r${i}`, thread));
    expect(results).to.deep.equal(['admitted', 'admitted', 'queued', 'rejected']);
    expect([scene.threads[0]!.running, scene.threads[0]!.waiting]).to.deep.equal([1, 1]);
  });

  it('FairLimit admits waiting requests of all threads in order of arrival', async () => {
    const scene = new Scene({ max: 1, queue: 9 });
    scene.arrive('r0');
    for (const [i, thread] of [1, 0, 1, 1, 0].entries()) expect(scene.arrive(`r${i + 1}`, thread)).to.equal('queued');
    const names: string[] = [];
    for (const [i, thread] of [0, 1, 0, 1, 1].entries()) {
      scene.complete(thread);
      names.push(`r${i + 1}`);
      await scene.admits(...names);
    }
    scene.complete(0);
    expect(scene.arrive('last')).to.equal('admitted');
  });

  it('FairLimit does not let a new request overtake a waiting request of another thread', async () => {
    const scene = new Scene({ max: 1, queue: 9 });
    scene.arrive('r0');
    scene.arrive('r1', 1);
    scene.complete(0);
    expect(scene.arrive('r2')).to.equal('queued');
    await scene.admits('r1');
    scene.complete(1);
    await scene.admits('r1', 'r2');
  });

  it('FairLimit removes timed-out requests from the queue, and admits the next request instead', async () => {
    const scene = new Scene({ max: 1, queue: 2 });
    for (const [i, thread] of [0, 1, 0].entries()) scene.arrive(`r${i}`, thread);
    expect(scene.arrive('r3')).to.equal('rejected');
    expect(scene.giveUp('r1')).to.equal(true);
    expect(scene.giveUp('r1')).to.equal(false);
    expect(scene.arrive('r4', 1)).to.equal('queued');
    scene.complete(0);
    await scene.admits('r2');
    expect(scene.giveUp('r2')).to.equal(false);
    scene.complete(0);
    await scene.admits('r2', 'r4');
  });

  it('FairLimit does not let timed-out requests of one thread block other threads', async () => {
    const scene = new Scene({ max: 1, queue: 9 });
    scene.arrive('r0');
    for (let i = 1; i < 5; i++) {
      scene.arrive(`r${i}`, 1);
      scene.giveUp(`r${i}`);
    }
    scene.complete(0);
    const end = performance.now() + 900;
    while (!scene.threads[0]!.enter() && performance.now() < end) await sleep(1);
    expect(performance.now()).to.be.lessThan(end);
  });

  it('FairLimit admits waiting requests when the limit is raised, and does not interrupt running requests when the limit is lowered', async () => {
    const scene = new Scene({ max: 1, queue: 9 });
    for (let i = 0; i < 4; i++) scene.arrive(`r${i}`);
    scene.bounds = { max: 3, queue: 0 };
    for (const thread of scene.threads) thread.watch();
    await scene.admits('r1', 'r2');
    expect(scene.arrive('r4')).to.equal('rejected');
    scene.bounds = { max: 1, queue: 1 };
    scene.complete();
    scene.complete();
    await scene.admits('r1', 'r2');
    scene.complete();
    await scene.admits('r1', 'r2', 'r3');
  });

  it('FairLimit releases the slots of an exited thread', async () => {
    const scene = new Scene({ max: 2, queue: 9 });
    scene.arrive('r0', 1);
    scene.arrive('r1', 1);
    scene.arrive('r2', 0);
    scene.cells[0]!.reap(1);
    await scene.admits('r2');
    expect(scene.arrive('r3')).to.equal('admitted');
    expect(scene.arrive('r4')).to.equal('queued');
  });

  it('FairLimit supports ticket numbers that wrap around', () => {
    const scene = new Scene({ max: 2, queue: 0 }, 1);
    const cell = scene.cells[0]!.acquire('k');
    cell.set(1, 2 ** 31 - 1);
    cell.set(2, 2 ** 31 - 1);
    expect([scene.arrive('a'), scene.arrive('b'), scene.arrive('c')]).to.deep.equal([
      'admitted',
      'admitted',
      'rejected',
    ]);
    scene.complete();
    expect([scene.arrive('d'), scene.arrive('e')]).to.deep.equal(['admitted', 'rejected']);
  });

  it('FairLimit never admits more than max requests in random runs, and eventually admits every request that keeps waiting', async () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
      return (seed >> 12) % below;
    };
    const scene = new Scene({ max: 3, queue: 8 }, 3);
    const running = [0, 0, 0];
    let waiting = 0;
    let served = 0;
    let expected = 0;
    for (let step = 0; step < 3000; step++) {
      const thread = random(3);
      const limit = scene.threads[thread]!;
      if (random(2) === 0) {
        if (limit.enter() !== null) {
          running[thread]!++;
          expected++;
          served++;
        } else {
          const leave = limit.queue({
            admit: () => {
              running[thread]!++;
              waiting--;
              served++;
            },
          });
          if (leave !== null) {
            waiting++;
            expected++;
            if (random(4) === 0 && leave()) {
              waiting--;
              expected--;
            }
          }
        }
      } else if (running[thread]! > 0) {
        running[thread]!--;
        limit.complete();
      }
      if (step % 3 === 0) await Promise.resolve();
      if (step % 50 === 0) await sleep(0);
      expect(running[0]! + running[1]! + running[2]!).to.be.at.most(3);
    }
    const end = performance.now() + 4000;
    while (served < expected && performance.now() < end) {
      for (const [i, limit] of scene.threads.entries()) for (; running[i]! > 0; running[i]!--) limit.complete();
      await sleep(1);
    }
    expect([served, waiting]).to.deep.equal([expected, 0]);
    expect(served).to.be.greaterThan(300);
  });
});
