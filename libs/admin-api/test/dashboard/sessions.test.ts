import { expect } from 'chai';
import { codeLife, sessionLife, Sessions } from '../../src/dashboard/sessions.ts';

describe('admin-api.dashboard.sessions', () => {
  let now = 0;
  let sessions: Sessions;
  beforeEach(() => {
    now = 1000;
    sessions = new Sessions(() => now);
  });

  it('opens a session for a code, once', () => {
    const code = sessions.makeCode('token');
    const session = sessions.open(code);
    expect(session).to.match(/^sluice_session_[\w-]{43}$/);
    expect(sessions.open(code)).to.equal(null);
    expect(sessions.ownerOf(session ?? '')).to.match(/^[\da-f]{64}$/);
  });

  it('lets a code hold for a minute, and no longer', () => {
    const [early, late] = [sessions.makeCode('token'), sessions.makeCode('token')];
    now += codeLife - 1;
    expect(sessions.open(early)).to.not.equal(null);
    now += 1;
    expect(sessions.open(late)).to.equal(null);
  });

  it('lets a session last twelve hours, or until it is ended', () => {
    const session = sessions.open(sessions.makeCode('token')) ?? '';
    const other = sessions.open(sessions.makeCode('token')) ?? '';
    sessions.end(other);
    expect(sessions.ownerOf(other)).to.equal(null);
    now += sessionLife - 1;
    expect(sessions.ownerOf(session)).to.not.equal(null);
    now += 1;
    expect(sessions.ownerOf(session)).to.equal(null);
  });

  it('makes a code of a session for the same owner', () => {
    const session = sessions.open(sessions.makeCode('token')) ?? '';
    const other = sessions.open(sessions.makeCode(session)) ?? '';
    expect(sessions.ownerOf(other)).to.equal(sessions.ownerOf(session));
  });

  it('keeps a thousand of them', () => {
    const first = sessions.makeCode('token');
    const others = Array.from({ length: 1000 }, () => sessions.makeCode('token'));
    expect(sessions.open(first)).to.equal(null);
    expect(sessions.open(others[0] ?? '')).to.not.equal(null);
    expect(sessions.open(others[999] ?? '')).to.not.equal(null);
  });
});
