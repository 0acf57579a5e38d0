import { CostLimitExceeded } from '../values/errors.ts';
import type { Result } from '../values/value.ts';

/** The values of variables; what is not there is an error only when it is asked for. */
export interface Variables {
  get(name: string): Result | undefined;
}

/**
 * Steps of work that upstream counts no cost for, such as comparing what lies deep inside two lists,
 * per unit of the limit. They end an evaluation just as the cost does.
 */
const FREE_STEPS_PER_UNIT = 2;

/** The state of one evaluation. */
export class Frame {
  cost = 0;
  /** Values of variables and of loops, by the slot the planner gave them. */
  readonly slots: (Result | undefined)[];
  readonly variables: Variables;
  readonly #limit: number;
  #steps: number;

  constructor(variables: Variables, slotCount: number, limit: number) {
    this.variables = variables;
    this.slots = new Array(slotCount);
    this.#limit = limit;
    this.#steps = limit * FREE_STEPS_PER_UNIT;
  }

  /** The cost of the evaluation so far, and the work beside that. */
  get spent(): { readonly cost: number; readonly steps: number } {
    const steps = this.#limit * FREE_STEPS_PER_UNIT - this.#steps;
    return { cost: this.cost, steps: Math.ceil(steps) };
  }

  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.#limit) {
      throw new CostLimitExceeded();
    }
  }

  /** Counts work that costs nothing; a property, so that it can be handed on. */
  readonly step = (steps = 1): void => {
    this.#steps -= steps;
    if (this.#steps < 0) {
      throw new CostLimitExceeded();
    }
  };
}

export type Evaluate = (frame: Frame) => Result;
