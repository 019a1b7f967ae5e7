/**
 * What the store does in Redis, one script for each operation. The first thing that each does is a write that changes nothing: so a server that has become
 * a replica refuses also what only reads. Nothing is written before the last thing that can be refused. Time is the server's.
 */

/** The parts of the names of keys, in the order in which scripts take them. */
export const keyParts = ['none', 'head', 'log', 'op', 'snap', 'lease', 'due', 'value', 'bound', 'changes'] as const;

const begin = `
local none, head, log, op, snap, lease, due, value, bound, changes = unpack(KEYS)
redis.call('DEL', none)
`;

/** Leases, and what is bound to them, end when they are looked at. */
const expire = `${begin}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function drop(name)
  local held = redis.call('HGET', lease, name)
  redis.call('HDEL', lease, name)
  redis.call('ZREM', due, name)
  if not held then return end
  local token = string.match(held, '^[^\\n]*')
  local all = redis.call('HGETALL', bound)
  for i = 1, #all, 2 do
    if all[i + 1] == token then
      redis.call('HDEL', value, all[i])
      redis.call('HDEL', bound, all[i])
    end
  end
end
for _, name in ipairs(redis.call('ZRANGEBYSCORE', due, '-inf', now)) do drop(name) end
local function holds(name, token)
  local held = redis.call('HGET', lease, name)
  return held and string.match(held, '^[^\\n]*') == token
end
`;

/** Where the log ends. */
export const headScript = `${begin} return redis.call('GET', head)`;

/** `base` or '', the next head, then revision, operation and text of each entry. */
export const swapScript = `${begin}
for i = 3, #ARGV, 3 do
  local known = redis.call('HGET', op, ARGV[i + 1])
  if known then return {'known', known} end
end
local current = redis.call('GET', head)
if (current or '') ~= ARGV[1] then return {'lost', current} end
for i = 3, #ARGV, 3 do
  redis.call('XADD', log, ARGV[i] .. '-0', 'op', ARGV[i + 1], 'entry', ARGV[i + 2])
  redis.call('HSET', op, ARGV[i + 1], ARGV[i])
end
redis.call('SET', head, ARGV[2])
redis.call('PUBLISH', changes, ARGV[#ARGV - 2])
return {'swapped'}`;

/** The head, and entries from a revision to another, of which there are at most as many as the third argument says. */
export const readScript = `${begin}
local entries = {}
for i, item in ipairs(redis.call('XRANGE', log, ARGV[1] .. '-0', ARGV[2] .. '-0', 'COUNT', ARGV[3])) do
  entries[i] = item[2][4]
end
return {redis.call('GET', head), entries}`;

/** The revision of an operation. */
export const findScript = `${begin} return redis.call('HGET', op, ARGV[1])`;

/** Drops some of the entries before a revision; how many. */
export const trimScript = `${begin}
local old = redis.call('XRANGE', log, '-', '(' .. ARGV[1] .. '-0', 'COUNT', 500)
for _, item in ipairs(old) do
  redis.call('HDEL', op, item[2][2])
  redis.call('XDEL', log, item[1])
end
return #old`;

/** The text of the snapshot. */
export const snapshotScript = `${begin} return redis.call('HGET', snap, 'text')`;

/** Keeps the text of a snapshot of a revision, if there is none of a later one. */
export const saveSnapshotScript = `${begin}
local known = redis.call('HGET', snap, 'rev')
if known and tonumber(known) >= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', snap, 'rev', ARGV[1], 'text', ARGV[2])
return 1`;

/** Takes a lease: name, token, milliseconds, value. */
export const leaseScript = `${expire}
if redis.call('HEXISTS', lease, ARGV[1]) == 1 and not holds(ARGV[1], ARGV[2]) then return 0 end
redis.call('HSET', lease, ARGV[1], ARGV[2] .. '\\n' .. ARGV[4])
redis.call('ZADD', due, now + ARGV[3], ARGV[1])
return 1`;

/** Renews one: name, token, milliseconds. */
export const renewScript = `${expire}
if not holds(ARGV[1], ARGV[2]) then return 0 end
redis.call('ZADD', due, now + ARGV[3], ARGV[1])
return 1`;

/** Gives one back: name, token. */
export const releaseScript = `${expire}
if holds(ARGV[1], ARGV[2]) then drop(ARGV[1]) end`;

/** Names and values of the leases that are held. */
export const leasesScript = `${expire}
local all = redis.call('HGETALL', lease)
for i = 2, #all, 2 do all[i] = string.gsub(all[i], '^[^\\n]*\\n', '') end
return all`;

/** Writes under a lease: name, token; then for each key what is done with it (\`set\`, \`bind\`, \`remove\`), and its value. */
export const transactionScript = `${expire}
if not holds(ARGV[1], ARGV[2]) then return 0 end
for i = 3, #ARGV, 3 do
  if ARGV[i + 1] == 'remove' then redis.call('HDEL', value, ARGV[i]) else redis.call('HSET', value, ARGV[i], ARGV[i + 2]) end
  if ARGV[i + 1] == 'bind' then redis.call('HSET', bound, ARGV[i], ARGV[2]) else redis.call('HDEL', bound, ARGV[i]) end
end
return 1`;

/** Keys and values. */
export const valuesScript = `${expire} return redis.call('HGETALL', value)`;
