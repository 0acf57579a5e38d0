import {
  type Examination,
  type Finding,
  HOPS,
  type Hop,
  type HopResult,
  type Judgement,
} from './finding.ts';

/** What was found so far on one walk. */
export class HopLog {
  readonly #name: string;
  readonly #results = new Map<Hop, HopResult>();
  #finding: Finding | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /** Whether the walk goes on. */
  add(hop: Hop, judgement: Judgement): boolean {
    this.#results.set(hop, { hop, outcome: judgement.outcome, words: judgement.words });
    if (judgement.outcome !== 'broken') return true;
    const { words, matters, fixes, otherwise } = judgement;
    this.#finding = { hop, seen: words, matters, fixes, ...(otherwise && { otherwise }) };
    return false;
  }

  /** The first that is broken, or the last: several servers are one hop. */
  addWorst(hop: Hop, judgements: readonly Judgement[]): boolean {
    const order = ['broken', 'unseen', 'well', 'skipped'];
    const sorted = judgements.toSorted(
      (a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome),
    );
    const [worst] = sorted;
    return worst === undefined || this.add(hop, worst);
  }

  end(): Examination {
    const hops = HOPS.map(
      (hop) => this.#results.get(hop) ?? { hop, outcome: 'not-tried' as const, words: 'not tried' },
    );
    const verdict = this.#finding === undefined ? 'well' : 'broken';
    return { name: this.#name, verdict, hops, finding: this.#finding };
  }
}
