/** Limits on the estimated cost of one rule and of all rules of a schema. */
import { type FieldError, type FieldPath, fieldError } from '@tributary/apimachinery';
import { cel } from '../cel.ts';

export const RULE_COST_MAX = 10_000_000n;
const SCHEMA_COST_MAX = 100_000_000n;

const UINT64_MAX = 2n ** 64n - 1n;
/** Upstream names the most expensive of the rules that exceed the limit together, above a threshold. */
const NAMED_MAX = 4;
const NAMED_COST_MIN = SCHEMA_COST_MAX / 100n;

export function timesCost(cost: bigint, times: bigint): bigint {
  return saturated(cost * times);
}

/** Upstream counts in 64 bits. */
function saturated(cost: bigint): bigint {
  if (cost > UINT64_MAX) return UINT64_MAX;
  return cost;
}

export function costMessage(what: string, cost: bigint, limit: bigint): string {
  return `${what} exceeds budget by factor of ${factorText(Number(cost) / Number(limit))} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

function factorText(factor: number): string {
  if (factor > 100) return 'more than 100x';
  return `${cel().toFixedExactly(factor, factor < 1.5 ? 6 : 1)}x`;
}

/** The total cost of the rules of a schema. */
export class TotalCost {
  #total = 0n;
  #expensive: { readonly path: FieldPath; readonly cost: bigint }[] = [];

  add(path: FieldPath, cost: bigint): void {
    this.#total = saturated(this.#total + cost);
    if (cost < NAMED_COST_MIN) return;
    this.#expensive.push({ path, cost });
    this.#expensive.sort((a, b) => (a.cost === b.cost ? 0 : a.cost > b.cost ? -1 : 1));
    this.#expensive.length = Math.min(this.#expensive.length, NAMED_MAX);
  }

  /** Empty within the limit. */
  errors(schemaPath: FieldPath): FieldError[] {
    if (this.#total <= SCHEMA_COST_MAX) return [];
    const share =
      'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#expensive.map(({ path }) => fieldError.forbidden(path, share)),
      fieldError.forbidden(schemaPath, costMessage(what, this.#total, SCHEMA_COST_MAX)),
    ];
  }
}
