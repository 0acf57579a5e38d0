import { type FieldError, fieldError, goQuote, root } from '@tributary/apimachinery';
import type { Correlation } from './correlation.ts';
import type { SchemaNode } from './schema-node.ts';

/** Bound on errors of one object, so that an error repeated in a long list does not make a long response. */
export const ERRORS_MAX = 100;

/** Bound on the text of all errors of one object; a long key repeats in the path of everything below it. */
const TEXT_CHARACTERS_MAX = 1_000_000;

/** Bound on the text of a value in an error. */
const SHOWN_CHARACTERS_MAX = 10_000;

/** The position in a value, and the errors found. Paths become text only for errors. */
export class Walk {
  readonly #steps: (string | number)[] = [];
  #errors: FieldError[] = [];
  #textCharacters = 0;
  /** The value before an update at this position; `#around` has those of the values around it. */
  #before: Correlation | undefined;
  readonly #around: { readonly before: Correlation | undefined; readonly errors: number }[] = [];

  /** With the value before an update, errors of unchanged values do not count. */
  constructor(before?: Correlation) {
    this.#before = before;
  }

  get errors(): readonly FieldError[] {
    return this.#errors;
  }

  enter(step: string | number): void {
    if (this.#before !== undefined) {
      this.#around.push({ before: this.#before, errors: this.#errors.length });
      this.#before = this.#stepInto(this.#before, step);
    } else if (this.#around.length > 0) {
      this.#around.push({ before: undefined, errors: this.#errors.length });
    }
    this.#steps.push(step);
  }

  leave(): void {
    this.#steps.pop();
    const outer = this.#around.pop();
    if (outer === undefined) return;
    if (this.#errors.length > outer.errors && this.#before?.isUnchanged) {
      this.#errors.length = outer.errors;
    }
    this.#before = outer.before;
  }

  #stepInto(before: Correlation, step: string | number): Correlation | undefined {
    if (typeof step === 'number') return before.index(step);
    // Both objects are converted to the same version, so that a change of these is not visible.
    const isType = this.#steps.length === 0 && (step === 'apiVersion' || step === 'kind');
    return isType ? undefined : before.key(step);
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

  /** Errors beyond the bound are dropped: the object is rejected anyway. */
  add(error: FieldError): void {
    if (this.#isFull) return;
    this.#errors.push(error);
    this.#textCharacters += error.field.length + error.detail.length;
  }

  /** The first error of an attempt is always added, because it makes the attempt fail. */
  get #isFull(): boolean {
    const count = this.#errors.length;
    return count >= ERRORS_MAX || (count > 0 && this.#textCharacters > TEXT_CHARACTERS_MAX);
  }

  addAll(errors: readonly FieldError[]): void {
    for (const error of errors) this.add(error);
  }

  /** Adds an error with a detail such as `should be at least 3 chars long`. */
  addInvalid(value: unknown, rule: string): void {
    if (this.#isFull) return;
    const { path } = this;
    this.add(fieldError.invalid(root(path), excerpt(value), `${path} in body ${rule}`));
  }

  addInvalidType(wanted: string, got: string): void {
    if (this.#isFull) return;
    const { path } = this;
    const shown = excerpt(got);
    const detail = `${path} in body must be of type ${wanted}: ${goQuote(shown)}`;
    this.add(fieldError.typeInvalid(root(path), shown, detail));
  }

  /** For rules whose path upstream has in the message only. */
  addUnplaced(detail: string): void {
    this.add(fieldError.invalid(undefined, '', detail));
  }

  /** Runs a check whose errors may be dropped. */
  attempt(check: () => number): Attempt {
    const outer = this.#errors;
    const before = this.#before;
    this.#errors = [];
    // As upstream, alternatives are not ratcheted.
    this.#before = undefined;
    try {
      const passed = check();
      return { passed, errors: this.#errors };
    } finally {
      this.#errors = outer;
      this.#before = before;
    }
  }
}

/** Texts are cut; other values are small, or parts of one body that is shown once. */
export function excerpt<Value>(value: Value): Value | string {
  if (typeof value !== 'string' || value.length <= SHOWN_CHARACTERS_MAX) return value;
  return `${value.slice(0, SHOWN_CHARACTERS_MAX)}...`;
}

export interface Attempt {
  readonly errors: readonly FieldError[];
  readonly passed: number;
}

/**
 * The schemas that contain a schema with a property, so that a walk in search of it skips the rest of a value.
 * References may be circular.
 */
export function nodesContaining(
  root: SchemaNode,
  has: (node: SchemaNode) => boolean,
): ReadonlySet<SchemaNode> {
  const around = new Map<SchemaNode, SchemaNode[]>([[root, []]]);
  // A map that grows while it is walked.
  for (const node of around.keys()) {
    for (const inner of innerNodes(node)) {
      const outer = around.get(inner);
      if (outer === undefined) around.set(inner, [node]);
      else outer.push(node);
    }
  }
  const leading = new Set([...around.keys()].filter(has));
  for (const node of leading) for (const outer of around.get(node) ?? []) leading.add(outer);
  return leading;
}

function innerNodes({ properties, additionalProperties, items }: SchemaNode): SchemaNode[] {
  return [...properties.values(), ...[additionalProperties || [], items ?? []].flat()];
}
