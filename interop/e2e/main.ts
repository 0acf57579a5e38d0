/** `npm run test:e2e`: Kubernetes' own end-to-end suite, without nodes, against `tributary up`. */
import { parseArgs } from 'node:util';
import { createScope } from '../../test/harness/index.ts';
import { peerVersion } from '../peers/peers.ts';
import { isCandidate } from './candidates.ts';
import { type Environment, environments, startOurs, startReference } from './environments.ts';
import { listSpecs, runSpecs, type SpecResult } from './run-specs.ts';
import {
  compareResults,
  listOf,
  readSpecList,
  specsOf,
  withResults,
  writeSpecList,
} from './spec-list.ts';

const HELP = `Usage: npm run test:e2e -- [FILTER…] [options]

Runs the specs of interop/e2e/specs.json against "tributary up", and compares with the results recorded there. Fails when
a spec that passed does not pass. FILTER is a part of a spec's name. Needs the real programs ("npm run peers").

  --environment E  alone: nothing beside the control plane; controllers: with the original's controller manager;
                   nodes: with Node objects as well; may be given several times (default: all three)
  --update         record the results in the list
  --reference      run the candidates on the original, and show what passes there; with --update the list is made of these
  --processes N    how many specs run at the same time (default: 3)
  --spec-timeout D of every spec that has none of its own (default: 60s)
  --help           this text
`;

/** Most candidates wait for a pod until their timeout. */
const SERIAL_PROCESSES = 5;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const { values, positionals: filters } = parseArgs({
    allowPositionals: true,
    options: {
      environment: { type: 'string', multiple: true },
      update: { type: 'boolean', default: false },
      reference: { type: 'boolean', default: false },
      processes: { type: 'string', default: '3' },
      'spec-timeout': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const options: Options = {
    filters,
    update: values.update,
    processes: Number(values.processes),
    timeout: values['spec-timeout'],
  };
  if (values.reference) return runReference(options);
  let failed = 0;
  for (const environment of environmentsOf(values.environment ?? environments)) {
    failed += await runOurs(environment, options);
  }
  process.exitCode = failed === 0 ? 0 : 1;
}

interface Options {
  readonly filters: readonly string[];
  readonly update: boolean;
  readonly processes: number;
  readonly timeout: string | undefined;
  readonly serialProcesses?: number;
}

function environmentsOf(names: readonly string[]): Environment[] {
  return names.map((name) => {
    const found = environments.find((environment) => environment === name);
    if (found === undefined) throw new Error(`--environment ${name}: ${environments.join(', ')}`);
    return found;
  });
}

/** The number of specs that were lost. */
async function runOurs(environment: Environment, options: Options): Promise<number> {
  const list = readSpecList();
  const specs = specsOf(list, environment).filter((name) => matches(name, options));
  const results = await run(specs, options, (scope) => startOurs(scope, environment));
  const { lost, gained, passed, total } = compareResults(list, environment, { specs, results });
  for (const { name, message } of lost) print(`LOST ${name}\n     ${message}`);
  for (const name of gained) print(`new  ${name}`);
  print(
    `${environment}: ${passed} of ${total} specs pass, ${lost.length} lost, ${gained.length} new`,
  );
  if (options.update) writeSpecList(withResults(readSpecList(), environment, results));
  return lost.length;
}

async function runReference(options: Options): Promise<void> {
  const candidates = (await candidateSpecs()).filter((name) => matches(name, options));
  print(`${candidates.length} candidates`);
  const passed = async (
    environment: Exclude<Environment, 'alone'>,
    specs: readonly string[],
  ): Promise<string[]> => {
    const results = await run(specs, { ...options, serialProcesses: SERIAL_PROCESSES }, (scope) =>
      startReference(scope, environment),
    );
    for (const { name, state, seconds, message } of results) {
      print(
        `${state} ${seconds} s ${name}${state === 'passed' ? '' : `\n     ${message.split('\n', 1)[0]}`}`,
      );
    }
    return results.filter(({ state }) => state === 'passed').map(({ name }) => name);
  };
  const controllers = await passed('controllers', candidates);
  const left = candidates.filter((name) => !controllers.includes(name));
  const nodes = await passed('nodes', left);
  print(`${controllers.length} pass on the original, ${nodes.length} more with Node objects`);
  if (!options.update) return;
  const checked = { checked: candidates, controllers, nodes };
  writeSpecList(listOf(peerVersion('kube-apiserver'), checked, readSpecList()));
}

async function candidateSpecs(): Promise<string[]> {
  await using scope = createScope('end-to-end specs');
  return (await listSpecs(scope)).filter(isCandidate).map(({ name }) => name);
}

async function run(
  specs: readonly string[],
  { processes, timeout, serialProcesses = 1 }: Options,
  start: (scope: ReturnType<typeof createScope>) => Promise<string>,
): Promise<SpecResult[]> {
  await using scope = createScope('end-to-end suite');
  const kubeconfig = await start(scope);
  return await runSpecs(scope, {
    kubeconfig,
    specs,
    processes,
    serialProcesses,
    log: print,
    ...(timeout === undefined ? {} : { timeout }),
  });
}

function matches(name: string, { filters }: Options): boolean {
  return filters.length === 0 || filters.some((filter) => name.includes(filter));
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
