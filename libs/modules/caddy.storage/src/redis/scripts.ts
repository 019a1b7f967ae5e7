/**
 * Redis scripts, one per operation. A script changes a value and its directory entries atomically. Values are strings at `<prefix>/<key>`.
 * A directory is a sorted set of names, stored at the path of the directory. Names of subdirectories end with a slash. Locks are strings at
 * `<prefix>/locks/<name>`.
 */

const begin = `
local prefix = KEYS[1]
local function split(path) return string.match(path, '^(.*)/([^/]+)$') end
local function kind(path) return redis.call('TYPE', path).ok end
`;

/** Adds a name to its parent directories or removes it from them. Redis deletes empty sets automatically. */
const folders = `
local function enter(path, score)
  local folder, name = split(path)
  while folder and redis.call('ZADD', folder, score, name) == 1 do
    path = folder
    folder, name = split(path)
    if folder then name = name .. '/' end
  end
end
local function leave(path, suffix)
  local folder, name = split(path)
  while folder do
    redis.call('ZREM', folder, name .. suffix)
    if redis.call('EXISTS', folder) == 1 then return end
    path, suffix = folder, '/'
    folder, name = split(path)
  end
end
local function remove(path)
  if kind(path) == 'zset' then
    for _, name in ipairs(redis.call('ZRANGE', path, 0, -1)) do remove(path .. '/' .. string.gsub(name, '/$', '')) end
  elseif redis.call('DEL', path) == 1 then leave(path, '') end
end
local function problem(path)
  if kind(path) == 'zset' then return path .. ' is a folder' end
  local folder = split(path)
  while folder do
    if kind(folder) == 'string' then return folder .. ' is a value' end
    folder = split(folder)
  end
end
`;

/** Returns the value of a key. Returns nothing if the key is missing or is a directory. */
export const loadScript = `${begin} if kind(prefix) == 'string' then return redis.call('GET', prefix) end`;

/** Returns the type of a key: \`string\`, \`zset\` or \`none\`. */
export const kindScript = `${begin} return kind(prefix)`;

/** Returns the names in a directory. Names of subdirectories end with a slash. */
export const listScript = `${begin}
if kind(prefix) ~= 'zset' then return {} end
return redis.call('ZRANGE', prefix, 0, -1)`;

/**
 * Writes and removes values. KEYS: prefix, lock. ARGV: lock token or ''; seconds since the Unix epoch; then for each path \`set\` or
 * \`remove\`, and the string. Returns the path of a conflict, or \`lost\` if the lock was lost.
 */
export const writeScript = `${begin}${folders}
if ARGV[1] ~= '' and redis.call('GET', KEYS[2]) ~= ARGV[1] then return 'lost' end
for i = 3, #ARGV, 3 do
  local wrong = ARGV[i + 1] == 'set' and problem(ARGV[i])
  if wrong then return wrong end
end
for i = 3, #ARGV, 3 do
  if ARGV[i + 1] == 'remove' then remove(ARGV[i]) else
    redis.call('SET', ARGV[i], ARGV[i + 2])
    enter(ARGV[i], ARGV[2])
  end
end`;

/** Acquires a lock. ARGV: lock token, lease duration in milliseconds. */
export const lockScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return 1 end
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
return 0`;

/** Renews a lock. ARGV: lock token, lease duration in milliseconds. */
export const renewScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`;

/** Releases a lock. ARGV: lock token. */
export const releaseScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`;
