/** `npm run peers`: builds the real programs that the interop suites talk to. */
import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildPeers, GoMissing } from './build.ts';
import { cacheDir } from './cache.ts';
import { isPeerName, type PeerName, peerPath, peers, peerVersion } from './peers.ts';
import { isModuleName, pinModule, pinRelease } from './pin.ts';

const HELP = `Builds the real programs of Kubernetes from Go modules, once, into ${cacheDir()}/peers.

npm run peers                      everything that is not built yet
npm run peers -- NAME…             only these: ${peers.map(({ name }) => name).join(', ')}
npm run peers -- --list            what is built, and where
npm run peers -- --release VERSION move every program of Kubernetes and every client library to a release, and build
npm run peers -- --pin MODULE VERSION
                                   change one version: etcd v3.7.3, kubectl-middle v1.28.15, helm v3.21.4

Exit codes: 0 done, 1 a build failed, 2 wrong arguments, 3 no suitable Go.
`;

const VERSION = /^v\d+\.\d+\.\d+/;

const AFTER_RELEASE = `Next: record the responses of the new release and list what differs.

npm run golden:record && npm run record:rbac && npm run record:audit && npm run record:flow-control
npm run record:cel && npm run record:conversion && npm run generate:kinds && npm run fix
npm run golden:changes -- HEAD     the table of what differs from the recordings of a commit
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const parsed = parse(args);
  if (parsed === undefined) return 2;
  const { values, positionals } = parsed;
  if (values.help) return print(HELP);
  if (values.list) return print(list());
  try {
    if (values.release !== undefined) return await release(values.release);
    if (values.pin) return pin(positionals);
    return await build(positionals);
  } catch (error) {
    process.stderr.write(`peers: ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof GoMissing ? 3 : 1;
  }
}

function parse(args: string[]) {
  const boolean = { type: 'boolean', default: false } as const;
  const options = {
    help: { ...boolean, short: 'h' },
    list: boolean,
    pin: boolean,
    release: { type: 'string' },
  } as const;
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    process.stderr.write(`peers: ${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }
}

async function build(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !isPeerName(name));
  if (unknown.length > 0) {
    process.stderr.write(`peers: no peer is called ${unknown.join(', ')}; see --help\n`);
    return 2;
  }
  const wanted: readonly PeerName[] =
    names.length > 0 ? names.filter(isPeerName) : peers.map(({ name }) => name);
  const started = performance.now();
  await buildPeers(wanted, {
    log: (line) => {
      const elapsed = ((performance.now() - started) / 1000).toFixed(0).padStart(5);
      process.stdout.write(`[${elapsed} s] ${line}\n`);
    },
  });
  return 0;
}

async function release(version: string): Promise<number> {
  if (!VERSION.test(version)) {
    process.stderr.write('peers: --release needs a version such as v1.37.1; see --help\n');
    return 2;
  }
  pinRelease(version);
  const code = await build([]);
  return code === 0 ? print(AFTER_RELEASE) : code;
}

function pin([module = '', version = '']: readonly string[]): number {
  if (!isModuleName(module) || !VERSION.test(version)) {
    process.stderr.write('peers: --pin needs a module and a version; see --help\n');
    return 2;
  }
  pinModule(module, version);
  return print(`${module} is now ${version}; build it with: npm run peers\n`);
}

function list(): string {
  const rows = peers.map(({ name }) => {
    const file = peerPath(name);
    const state = file === undefined ? 'not built' : `${megabytes(file)} MB  ${file}`;
    return `${name.padEnd(17)}${peerVersion(name).padEnd(10)}${state}\n`;
  });
  return rows.join('');
}

function megabytes(file: string): string {
  return (statSync(file).size / 1e6).toFixed(0).padStart(4);
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}
