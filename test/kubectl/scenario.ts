/** The steps of a user with kubectl, and the expected output of each. */
import type { KubectlRun, StartedProcess } from '../harness/index.ts';

/** A text must be the whole output, blanks at its end aside; patterns must all be found in it. */
export type Expected = string | RegExp | readonly RegExp[];

interface Outcome {
  /** Zero when absent. */
  code?: number;
  stdout?: Expected;
  /** Silence when absent. */
  stderr?: Expected;
}

/** How some releases of kubectl itself differ; `from` is the first of them, `before` the first after them. */
export interface Difference extends Outcome {
  from?: string;
  before?: string;
  because: string;
}

export interface Step extends Outcome {
  /** The arguments of `kubectl`, as text without blanks in any word or as words. */
  run: string | readonly string[];
  /** Standard input. */
  input?: string | object;
  env?: Readonly<Record<string, string>>;
  stdout: Expected;
  differs?: readonly Difference[];
}

/** In every text NAMESPACE stands for a namespace that no other scenario and no other release uses. */
export interface Scenario {
  name: string;
  /** The first release that knows what this is about, and what that is. */
  since?: readonly [version: string, because: string];
  /** The objects at its start. */
  given?: readonly Flunder[];
  steps?: readonly Step[];
  /** For what goes on while something else happens. */
  play?: (stage: Stage) => Promise<void>;
}

export interface Stage {
  step(step: Step): Promise<KubectlRun>;
  start(run: string): Promise<StartedProcess>;
}

export const GROUP = 'wardle.example.com';
export const DEPRECATED_FLUNDER = `Warning: ${GROUP}/v1alpha1 Flunder is deprecated in v1.3+, unavailable in v1.10+`;
export const DEPRECATED_FISCHER = DEPRECATED_FLUNDER.replace('Flunder', 'Fischer');

interface FlunderParts {
  version?: 'v1alpha1' | 'v1beta1';
  labels?: Record<string, string>;
  finalizers?: readonly string[];
  annotations?: Record<string, string>;
  spec?: object;
}

export type Flunder = {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: object;
};

export function flunder(name: string, parts: FlunderParts = {}): Flunder {
  const { version = 'v1beta1', spec = refersTo('pond'), ...metadata } = parts;
  return {
    apiVersion: `${GROUP}/${version}`,
    kind: 'Flunder',
    metadata: { name, ...metadata },
    spec,
  };
}

export function refersTo(flunderReference: string): object {
  return { flunderReference, referenceType: 'Flunder' };
}

/** How kubectl speaks of one: `flunder.wardle.example.com/NAME done`. */
export function said(name: string, done: string): string {
  return `flunder.${GROUP}/${name} ${done}`;
}

/** From 1.33 on kubectl also says from where. */
export function deleted(name: string, suffix = ''): RegExp {
  const end = suffix.replaceAll(/[()]/g, '\\$&');
  return new RegExp(
    `^flunder\\.wardle\\.example\\.com "${name}" deleted(?: from NAMESPACE namespace)?${end}$`,
    'm',
  );
}

export function create(name: string, parts: FlunderParts = {}): Step {
  const stderr = parts.version === 'v1alpha1' ? DEPRECATED_FLUNDER : '';
  return {
    run: 'create -f -',
    input: flunder(name, parts),
    stdout: said(name, 'created'),
    stderr,
  };
}
