// `npm run lockfile`: adds the packages for other platforms that `npm install` leaves out of the lockfile when the
// registry does not have them. `npm ci` refuses a lockfile without them, on every platform.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const file = join(dirname(fileURLToPath(import.meta.url)), '..', 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
let added = 0;
for (const [owner, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`;
    if (lock.packages[path] !== undefined) continue;
    const dev = owner !== '' && entry.dev === true;
    lock.packages[path] = { version, ...(dev && { dev }), optional: true, ...platformOf(name) };
    added += 1;
  }
}
const packages = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
lock.packages = Object.fromEntries(packages);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`package-lock.json: ${added} added\n`);

/** Platform packages are named after their platform: `cli-linux-arm64-musl`. */
function platformOf(name) {
  const [, os, cpu, musl] = /(android|darwin|linux|win32)-(arm64|x64)(-musl)?$/.exec(name) ?? [];
  if (os === undefined) throw new Error(`${name} is missing, and its name has no platform`);
  return { os: [os], cpu: [cpu], ...(musl && { libc: ['musl'] }) };
}
