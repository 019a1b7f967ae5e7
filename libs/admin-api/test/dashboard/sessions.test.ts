import { expect } from 'chai';
import { codeLife, sessionLife, Sessions } from '../../src/dashboard/sessions.ts';

describe('admin-api.dashboard.sessions', () => {
  let now = 0;
  let sessions: Sessions;
  beforeEach(() => {
    now = 1000;
    sessions = new Sessions(() => now);
  });

  const open = (presented: string): string => sessions.open(sessions.makeCode(presented))?.token ?? '';

  it('a one-time code opens a dashboard session only once', () => {
    const code = sessions.makeCode('token');
    const session = sessions.open(code)?.token ?? '';
    expect(session).to.match(/^sluice_session_[\w-]{43}$/);
    expect(sessions.open(code)).to.equal(null);
    expect(sessions.ownerOf(session)).to.match(/^[\da-f]{64}$/);
  });

  // Attack in docs/security.md: A reused or expired `sluice ui` code; a session whose token was removed.
  it('a one-time code for the dashboard expires after one minute', () => {
    const [early, late] = [sessions.makeCode('token'), sessions.makeCode('token')];
    now += codeLife - 1;
    expect(sessions.open(early)).to.not.equal(null);
    now += 1;
    expect(sessions.open(late)).to.equal(null);
  });

  it('a dashboard session expires after twelve hours, or when the user closes the session', () => {
    const session = open('token');
    const other = open('token');
    sessions.end(other);
    expect(sessions.ownerOf(other)).to.equal(null);
    now += sessionLife - 1;
    expect(sessions.ownerOf(session)).to.not.equal(null);
    now += 1;
    expect(sessions.ownerOf(session)).to.equal(null);
  });

  it('a dashboard session can create a one-time code for the same token', () => {
    const session = open('token');
    const other = open(session);
    expect(sessions.ownerOf(other)).to.equal(sessions.ownerOf(session));
  });

  // Attack in docs/security.md: A session that opens another session and signs out; a thousand sessions for one token.
  it('closing a dashboard session closes all sessions created from it, recursively', () => {
    const parent = open('token');
    const child = open(parent);
    const grandchild = open(child);
    const code = sessions.makeCode(grandchild);
    const sibling = open('token');
    sessions.end(parent);
    expect([parent, child, grandchild].map((each) => sessions.ownerOf(each))).to.deep.equal([null, null, null]);
    expect(sessions.open(code)).to.equal(null);
    expect(sessions.ownerOf(sibling)).to.not.equal(null);
  });

  it('a dashboard session never outlasts its parent session', () => {
    const parent = open('token');
    now += sessionLife - 1000;
    const child = sessions.open(sessions.makeCode(parent));
    expect(child?.expiresIn).to.equal(1000);
    now += 999;
    expect(sessions.ownerOf(child?.token ?? '')).to.not.equal(null);
    const code = sessions.makeCode(child?.token ?? '');
    now += 1;
    expect(sessions.ownerOf(child?.token ?? '')).to.equal(null);
    expect(sessions.open(code)).to.equal(null);
  });

  // Attack in docs/security.md: A session that opens another session and signs out; a thousand sessions for one token.
  it('each token is limited to fifty dashboard sessions', () => {
    const [operator, code] = [open('operator'), sessions.makeCode('operator')];
    const own = Array.from({ length: 1001 }, () => open('small'));
    const codes = Array.from({ length: 1001 }, () => sessions.makeCode('small'));
    expect(sessions.ownerOf(operator)).to.not.equal(null);
    expect(sessions.open(code)).to.not.equal(null);
    expect(own.filter((each) => sessions.ownerOf(each) !== null)).to.deep.equal(own.slice(-50));
    expect(codes.map((each) => sessions.open(each)).filter((each) => each !== null)).to.have.length(50);
  });

  it('dashboard sessions created from a session count toward the limit of the token', () => {
    const [operator, small] = [open('operator'), open('small')];
    for (let i = 0; i < 200; i++) open(small);
    expect(sessions.ownerOf(operator)).to.not.equal(null);
  });
});
