/** `npm run attack`: attacks a server of ours, or the real kube-apiserver, and says what others felt. */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createScope } from '../harness/index.ts';
import { attacks } from './attacks.ts';
import { slownesses, table, violations } from './report.ts';
import { runAttacks } from './run.ts';
import { KINDS_OF_SITES, type SiteKind, siteProblem } from './site.ts';

const HELP = `Usage: npm run attack -- [options]

Starts a server on the loopback interface with nothing else on it, attacks it in turn with every attack, and prints for each
what another user felt meanwhile: the p99 of /livez, of a GET (and how many times its quiet value) and of a write, requests
that failed, the memory that the server held, and what must not happen. The exit code is 1 when something did.

  --against NAME   up          tributary up (default)
                   aggregator  tributary aggregator in front of tributary up
                   server      an extension server (wardle)
                   reference   kube-apiserver and etcd (needs "npm run peers")
  --seconds N      for all attacks together (default: 60)
  --only PART      attacks whose name has this part; may be given several times
  --with-known     includes what is known to break the server
  --seed N         the random choices of an earlier run
  --list           only the names of the attacks
  --help           this text
`;
const SEED_MAX = 2 ** 32;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      against: { type: 'string', default: 'up' },
      seconds: { type: 'string', default: '60' },
      only: { type: 'string', multiple: true, default: [] },
      'with-known': { type: 'boolean', default: false },
      seed: { type: 'string' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return print(HELP.trimEnd());
  if (values.list)
    return print(attacks.map(({ name, summary }) => `${name}: ${summary}`).join('\n'));
  const against = KINDS_OF_SITES.find((kind) => kind === values.against);
  if (against === undefined)
    throw new Error(`--against ${values.against}: there are ${KINDS_OF_SITES.join(', ')}`);
  const seconds = wholeNumber('seconds', values.seconds);
  const seed = values.seed === undefined ? randomInt(SEED_MAX) : wholeNumber('seed', values.seed);
  const chosen = attacks.filter(
    ({ name }) => values.only.length === 0 || values.only.some((part) => name.includes(part)),
  );
  if (chosen.length === 0)
    throw new Error(`no attack is called ${values.only.join(', ')}; see --list`);
  return attack({ against, seconds, seed, attacks: chosen, withKnown: values['with-known'] });
}

type Options = Omit<Parameters<typeof runAttacks>[1], 'onProgress'> & {
  readonly against: SiteKind;
};

async function attack(options: Options): Promise<number> {
  const problem = siteProblem(options.against);
  if (problem !== undefined) throw new Error(problem);
  print(`seed ${options.seed}`);
  await using scope = createScope('attack');
  const run = await runAttacks(scope, { ...options, onProgress: print });
  print(`\n${table(run)}\n`);
  // The reference is measured, not judged.
  const wrong = [...violations(run), ...slownesses(run)];
  print(wrong.length === 0 ? 'nothing is wrong' : wrong.join('\n'));
  return wrong.length === 0 || options.against === 'reference' ? 0 : 1;
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (text !== '' && Number.isInteger(number) && number >= 0 && number < SEED_MAX) return number;
  throw new Error(`--${name} ${text}: not a whole number`);
}

function print(line: string): 0 {
  process.stdout.write(`${line}\n`);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
  process.exitCode = 2;
}
