import { join, relative } from 'node:path';
import type { StartedCore } from '@tributary/core-server';
import type { Logger } from '@tributary/server';
import { FlagError } from '@tributary/server/program';
import { findProgram, type SampleProgram } from './find-program.ts';
import { runSample } from './run-sample.ts';
import { type Sample, type SampleFlags, samplesByName } from './sample.ts';

/** Sample servers behind the aggregator, each a process of its own. */
export interface Samples {
  /** The core serves. Answers lines for the terminal at once; the programs start when those are written. */
  start(core: StartedCore): readonly string[];
  /** Ends the programs; twice is harmless. */
  close(): Promise<void>;
}

interface Found {
  readonly sample: Sample;
  readonly program: SampleProgram;
}

/** Throws a `FlagError` where a sample could never be reached. */
export function prepareSamples(flags: SampleFlags, log: Logger): Samples {
  requireReachable(flags);
  const found = flags.sample.map((name): Found => {
    const sample = samplesByName[name];
    return { sample, program: findProgram(sample) };
  });
  const stop = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  return {
    start: (core) => {
      const run = ({ sample, program }: Found) =>
        runSample(sample, { file: program.file, flags, log, server: core.server }, stop.signal);
      running = Promise.all(found.map(run));
      return found.flatMap((one) => linesOf(one, core));
    },
    close: async () => {
      stop.abort(new Error('the control plane is stopping'));
      await running;
    },
  };
}

/** The programs listen on this machine, and nothing routes cluster IPs to them. */
function requireReachable(flags: SampleFlags): void {
  const needed = {
    'allow-loopback-endpoints': flags.allowLoopbackEndpoints,
    'enable-aggregator-routing': flags.enableAggregatorRouting,
  };
  for (const [name, isOn] of Object.entries(needed)) {
    if (flags.sample.length > 0 && !isOn) throw new FlagError(`--sample needs --${name}`);
  }
}

function linesOf({ sample, program }: Found, { kubeconfig }: StartedCore): readonly string[] {
  const kubectl = `  kubectl${kubeconfig === undefined ? '' : ` --kubeconfig ${kubeconfig}`}`;
  const manifest = relative(process.cwd(), join(program.folder, sample.manifest));
  return [
    `The sample ${sample.name} is starting behind it. Once it is available, try:`,
    `${kubectl} create -f ${manifest}`,
    `${kubectl} get ${sample.resource}`,
  ];
}
