import { type FieldError, fieldError, goQuote, root } from '@tributary/apimachinery';
import type { SchemaNode } from './schema-node.ts';

/** Errors listed for one object; one mistake repeated in a long list must not make a long answer. */
export const ERRORS_MAX = 100;

/** Where a walk over a value is, and what it has found. Paths become text only when there is something to say. */
export class Walk {
  readonly #steps: (string | number)[] = [];
  #errors: FieldError[] = [];

  get errors(): readonly FieldError[] {
    return this.#errors;
  }

  enter(step: string | number): void {
    this.#steps.push(step);
  }

  leave(): void {
    this.#steps.pop();
  }

  /** `spec.list[0].name`; keys of maps look like fields. */
  get path(): string {
    let text = '';
    for (const step of this.#steps) {
      if (typeof step === 'number') text += `[${step}]`;
      else text += text === '' ? step : `.${step}`;
    }
    return text;
  }

  /** Beyond the bound errors are not kept; there are enough to refuse the object. */
  add(error: FieldError): void {
    if (!this.#isFull) this.#errors.push(error);
  }

  get #isFull(): boolean {
    return this.#errors.length >= ERRORS_MAX;
  }

  addAll(errors: readonly FieldError[]): void {
    for (const error of errors) this.add(error);
  }

  /** The value here breaks a rule: `should be at least 3 chars long`. */
  addInvalid(value: unknown, rule: string): void {
    if (this.#isFull) return;
    const { path } = this;
    this.add(fieldError.invalid(root(path), value, `${path} in body ${rule}`));
  }

  addInvalidType(wanted: string, got: string): void {
    if (this.#isFull) return;
    const { path } = this;
    const detail = `${path} in body must be of type ${wanted}: ${goQuote(got)}`;
    this.add(fieldError.typeInvalid(root(path), got, detail));
  }

  /** For rules that name their place in their words only, as the reference server has some. */
  addUnplaced(detail: string): void {
    this.add(fieldError.invalid(undefined, '', detail));
  }

  /** Runs a part of the walk whose errors may not count. */
  attempt(check: () => number): Attempt {
    const outer = this.#errors;
    this.#errors = [];
    try {
      const passed = check();
      return { passed, errors: this.#errors };
    } finally {
      this.#errors = outer;
    }
  }
}

export interface Attempt {
  readonly errors: readonly FieldError[];
  readonly passed: number;
}

/**
 * The schemas below which some schema has a property, so that a walk in search of it leaves out the rest of a
 * value. References may go in circles.
 */
export function leadingTo(
  root: SchemaNode,
  has: (node: SchemaNode) => boolean,
): ReadonlySet<SchemaNode> {
  const all = new Set([root]);
  // A set that grows while it is walked.
  for (const node of all) for (const inner of innerNodes(node)) all.add(inner);
  const leading = new Set([...all].filter(has));
  for (let before = -1; before !== leading.size; ) {
    before = leading.size;
    for (const node of all) {
      if (innerNodes(node).some((inner) => leading.has(inner))) leading.add(node);
    }
  }
  return leading;
}

function innerNodes({ properties, additionalProperties, items }: SchemaNode): SchemaNode[] {
  return [...properties.values(), ...[additionalProperties || [], items ?? []].flat()];
}
