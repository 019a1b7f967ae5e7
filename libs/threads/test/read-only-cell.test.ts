import { expect } from 'chai';
import { allocateSharedCells, readOnlyCell, SharedCells, unusedCell } from '@sluice/threads';

describe('readOnlyCell', () => {
  const open = () => {
    const cells = new SharedCells(allocateSharedCells({ capacity: 2, threads: 1 }), 0);
    const cell = cells.acquire('upstream');
    cell.set(0, 5);
    cell.set(1, -7);
    cell.setNumber(2, 0.5);
    return { cells, cell, seen: readOnlyCell(cell) };
  };

  it('readOnlyCell shows the current values of the cell', () => {
    const { cell, seen } = open();
    expect([seen.key, seen.get(0), seen.get(1), seen.number(2)]).to.deep.equal(['upstream', 5, -7, 0.5]);
    cell.add(0, 1);
    cell.setNumber(2, 1.5);
    expect([seen.get(0), seen.number(2)]).to.deep.equal([6, 1.5]);
  });

  it('readOnlyCell returns the result of modifications without applying them', () => {
    const { cells, cell, seen } = open();
    expect([seen.add(0, 3), seen.add(1, -1), seen.add(0, 2 ** 31 - 1)]).to.deep.equal([8, -8, -(2 ** 31) + 4]);
    expect([seen.enter(0), seen.enter(1)]).to.deep.equal([6, -6]);
    expect([seen.leave(0), seen.compareExchange(0, 5, 9)]).to.deep.equal([5, 5]);
    expect([seen.enterBelow(0, 6), seen.enterBelow(0, 5)]).to.deep.equal([true, false]);
    seen.set(0, 9);
    seen.setNumber(2, 9);
    seen.release();
    expect([cell.get(0), cell.get(1), cell.number(2), cells.inUse()]).to.deep.equal([5, -7, 0.5, 1]);
  });
});

describe('unusedCell', () => {
  it('unusedCell returns the same results as a new cell, and stores nothing', async () => {
    const cell = unusedCell;
    expect([cell.add(2, 3), cell.enter(0), cell.leave(0), cell.compareExchange(2, 0, 5)]).to.deep.equal([3, 1, 0, 0]);
    expect([cell.enterBelow(0, 1), cell.enterBelow(0, 0)]).to.deep.equal([true, false]);
    cell.set(2, 1);
    cell.setNumber(0, 1);
    cell.owe(0);
    cell.notify(2);
    cell.release();
    await cell.wait(2, 0, 1000);
    expect([cell.get(0), cell.get(2), cell.number(0)]).to.deep.equal([0, 0, 0]);
  });
});
