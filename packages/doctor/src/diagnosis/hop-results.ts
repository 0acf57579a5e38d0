import {
  type CheckResult,
  type Diagnosis,
  HOPS,
  type Hop,
  type HopResult,
  type Problem,
} from '../report/diagnosis.ts';

const SEVERITY: readonly CheckResult['status'][] = ['failed', 'unknown', 'passed', 'skipped'];

/** Collects the results of one run of the checks. */
export class HopResults {
  readonly #name: string;
  readonly #results = new Map<Hop, HopResult>();
  #problem: Problem | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /** Returns whether the run continues. */
  add(hop: Hop, result: CheckResult): boolean {
    const { status, message } = result;
    this.#results.set(hop, { hop, status, message });
    if (result.status !== 'failed') return true;
    const { impact, fixes, alternatives } = result;
    this.#problem = { hop, message, impact, fixes, ...(alternatives && { alternatives }) };
    return false;
  }

  /** Adds the most severe result: all endpoints together are one hop. */
  addWorst(hop: Hop, results: readonly CheckResult[]): boolean {
    const [worst] = results.toSorted(
      (a, b) => SEVERITY.indexOf(a.status) - SEVERITY.indexOf(b.status),
    );
    return worst === undefined || this.add(hop, worst);
  }

  diagnosis(): Diagnosis {
    const hops = HOPS.map(
      (hop): HopResult =>
        this.#results.get(hop) ?? { hop, status: 'not-run', message: 'not checked' },
    );
    const status = this.#problem === undefined ? 'healthy' : 'broken';
    return { name: this.#name, status, hops, problem: this.#problem };
  }
}
