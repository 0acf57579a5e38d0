/** `npm run peers`: builds the real programs that the interop suites talk to. */
import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildPeers, GoMissing } from './build.ts';
import { cacheDir } from './cache.ts';
import { isPeerName, type PeerName, peerPath, peers, peerVersion } from './peers.ts';
import { isModuleName, pinModule } from './pin.ts';

const HELP = `Builds the real programs of Kubernetes from Go modules, once, into ${cacheDir()}/peers.

npm run peers                      everything that is not built yet
npm run peers -- NAME…             only these: ${peers.map(({ name }) => name).join(', ')}
npm run peers -- --list            what is built, and where
npm run peers -- --pin MODULE VERSION
                                   change a version: kubernetes v1.36.3, etcd v3.6.16, kubectl-middle v1.28.15

Exit codes: 0 done, 1 a build failed, 2 wrong arguments, 3 no suitable Go.
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const parsed = parse(args);
  if (parsed === undefined) return 2;
  const { values, positionals } = parsed;
  if (values.help) return print(HELP);
  if (values.list) return print(list());
  try {
    if (values.pin) return pin(positionals);
    return await build(positionals);
  } catch (error) {
    process.stderr.write(`peers: ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof GoMissing ? 3 : 1;
  }
}

function parse(args: string[]) {
  const boolean = { type: 'boolean', default: false } as const;
  const options = { help: { ...boolean, short: 'h' }, list: boolean, pin: boolean } as const;
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

function pin([module = '', version = '']: readonly string[]): number {
  if (!isModuleName(module) || !/^v\d+\.\d+\.\d+/.test(version)) {
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
