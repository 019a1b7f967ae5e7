import { expect } from 'chai';
import { Hints } from '../src/hints.ts';

describe('Hints', () => {
  const heard: string[] = [];
  const hints = new Hints();
  beforeEach(() => heard.splice(0));

  it('Hints.notify calls the subscribers of a channel until they unsubscribe', () => {
    const end = hints.listen('a', () => heard.push('first'));
    const endOther = hints.listen('a', () => heard.push('second'));
    hints.notify('a');
    hints.notify('b');
    end();
    hints.notify('a');
    expect(heard).to.deep.equal(['first', 'second', 'second']);
    expect([...hints.channels]).to.deep.equal(['a']);
    endOther();
    expect([...hints.channels]).to.deep.equal([]);
  });

  it('Hints.notifyAll calls the subscribers of all channels', () => {
    const ends = ['a', 'b'].map((channel) => hints.listen(channel, () => heard.push(channel)));
    hints.notifyAll();
    expect(heard).to.deep.equal(['a', 'b']);
    for (const end of ends) end();
    hints.notifyAll();
    expect(heard).to.have.length(2);
  });
});
