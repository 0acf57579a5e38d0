/** Runs specs of upstream's end-to-end suite against a control plane. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  startProcess,
  type TestScope,
  temporaryDirectory,
  writeKubeconfig,
} from '../../test/harness/index.ts';
import { requirePeer } from '../peers/peers.ts';
import { SPEC_TIMEOUT, specTimeouts } from './settings.ts';

export interface SpecResult {
  /** The texts of its containers and its own, joined as Ginkgo joins them. */
  readonly name: string;
  /** As Ginkgo names it: passed, failed, skipped, timedout, panicked, … */
  readonly state: string;
  readonly seconds: number;
  /** The message of the failure; empty when there is none. */
  readonly message: string;
  /** The source file that declares it. */
  readonly file: string;
}

export interface RunOptions {
  readonly kubeconfig: string;
  /** Full texts. */
  readonly specs: readonly string[];
  /** How many programs share the specs that may run beside others. */
  readonly processes?: number;
  /** How many share those that may not, one after the other in each; more than one finds candidates faster. */
  readonly serialProcesses?: number;
  /** Receives a line when a program has finished another 20 specs. */
  readonly log?: (line: string) => void;
  readonly timeout?: string;
}

const PROCESSES = 3;
const PROGRESS_SPECS = 20;
const SERIAL = '[Serial]';

/** The result of each spec; one that the suite does not know is absent. */
export async function runSpecs(scope: TestScope, options: RunOptions): Promise<SpecResult[]> {
  const { specs, processes = PROCESSES, serialProcesses = 1 } = options;
  const serial = specs.filter((name) => name.includes(SERIAL));
  const others = specs.filter((name) => !name.includes(SERIAL));
  const results: SpecResult[] = [];
  for (const parts of [divide(others, processes), divide(serial, serialProcesses)]) {
    const finished = await Promise.all(
      parts.map((part, index) => runProgram(scope, part, { ...options, label: `${index + 1}` })),
    );
    results.push(...finished.flat());
  }
  return results;
}

function divide(specs: readonly string[], parts: number): string[][] {
  return Array.from({ length: parts }, (_, part) =>
    specs.filter((_name, index) => index % parts === part),
  ).filter((part) => part.length > 0);
}

/** Every spec of the suite, without running any: no server is asked, but the suite wants a kubeconfig. */
export async function listSpecs(scope: TestScope): Promise<SpecResult[]> {
  const folder = await temporaryDirectory(scope, 'e2e-');
  const report = join(folder, 'report.json');
  const nowhere = await writeKubeconfig(scope, {
    server: 'https://127.0.0.1:1',
    ca: '',
    user: { token: 'none' },
  });
  await execute(scope, [
    ...commonFlags(nowhere),
    '--ginkgo.dry-run',
    '--ginkgo.focus=.',
    `--ginkgo.json-report=${report}`,
  ]);
  return parseReport(await readFile(report, 'utf8'));
}

async function runProgram(
  scope: TestScope,
  specs: readonly string[],
  { kubeconfig, label, timeout = SPEC_TIMEOUT, log }: RunOptions & { label: string },
): Promise<SpecResult[]> {
  const folder = await temporaryDirectory(scope, 'e2e-');
  const [list, report] = [join(folder, 'specs.txt'), join(folder, 'report.json')];
  await writeFile(list, `${specs.join('\n')}\n`);
  const flags = [
    ...commonFlags(kubeconfig),
    `--specs=${list}`,
    `--spec-timeout=${timeout}`,
    ...Object.entries(specTimeouts).map(([text, limit]) => `--spec-timeout-of=${text}=${limit}`),
    `--ginkgo.json-report=${report}`,
  ];
  let finished = 0;
  const output = await execute(scope, flags, () => {
    finished += 1;
    if (finished % PROGRESS_SPECS === 0)
      log?.(`e2e ${label}: ${finished} of ${specs.length} specs`);
  });
  const wanted = new Set(specs);
  const results = (await reported(report)).filter(({ name }) => wanted.has(name));
  // Without a report, or when the suite could not begin.
  if (results.length === 0) throw new Error(`the end-to-end suite ran no spec:\n${output}`);
  return results;
}

async function reported(file: string): Promise<SpecResult[]> {
  return existsSync(file) ? parseReport(await readFile(file, 'utf8')) : [];
}

function commonFlags(kubeconfig: string): string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    `--kubectl-path=${requirePeer('kubectl')}`,
    '--provider=skeleton',
    '--num-nodes=1',
    '--allowed-not-ready-nodes=-1',
    '--dump-logs-on-failure=false',
    '--disable-log-dump=true',
    // Paths that answer in JSON only, such as scale.
    '--kube-api-content-type=application/json',
    '--ginkgo.timeout=1h',
    '--ginkgo.no-color',
    '--ginkgo.silence-skips',
  ];
}

/** Begins the line of a spec that ended. */
const FINISHED = '•';

async function execute(
  scope: TestScope,
  flags: readonly string[],
  onFinished: () => void = () => undefined,
): Promise<string> {
  const program = await startProcess(scope, {
    name: 'e2e',
    command: requirePeer('e2e'),
    args: flags,
    onOutput: (chunk) => {
      for (const character of chunk) if (character === FINISHED) onFinished();
    },
  });
  await program.exited;
  return program.log();
}

interface GinkgoSpec {
  ContainerHierarchyTexts: string[] | null;
  LeafNodeType: string;
  LeafNodeText: string;
  LeafNodeLocation: { FileName: string };
  State: string;
  RunTime: number;
  Failure?: { Message?: string };
}

const NANOSECONDS = 1e9;

/** Reads the JSON report of Ginkgo: one suite with all its specs; those that did not run are skipped. */
export function parseReport(text: string): SpecResult[] {
  const [suite] = JSON.parse(text) as { SpecReports: GinkgoSpec[] | null }[];
  return (suite?.SpecReports ?? [])
    .filter(({ LeafNodeType }) => LeafNodeType === 'It')
    .map((spec) => ({
      name: [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText]
        .filter((part) => part !== '')
        .join(' '),
      state: spec.State,
      seconds: Math.round(spec.RunTime / NANOSECONDS),
      message: spec.Failure?.Message ?? '',
      file: spec.LeafNodeLocation.FileName,
    }));
}
