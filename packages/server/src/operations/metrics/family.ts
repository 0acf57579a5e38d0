/** Metrics of one name. Text is produced on collection; counting increments a number in an object. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly labelNames: readonly string[];
  /** Lines of the text format, with the labels in alphabetical order. */
  lines(): Iterable<string>;
  /** Removes the series with these labels; they restart at zero. */
  forget?(labels: Readonly<Record<string, string>>): void;
}

export interface FamilyOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
}

/** Requests for arbitrary paths must not fill the memory: further label values count as `other`. */
const SERIES_MAX = 5_000;

/** One value per set of labels. */
class Series<Child> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly #make: () => Child;
  readonly #children = new Map<string, { readonly labels: string; readonly child: Child }>();

  constructor({ name, help, labelNames = [] }: FamilyOptions, make: () => Child) {
    this.name = name;
    this.help = help;
    this.labelNames = labelNames;
    this.#make = make;
    if (labelNames.length === 0) this.with();
  }

  /** Looked up once by frequent callers: the lookup costs more than counting. */
  with(...values: readonly string[]): Child {
    const [only = ''] = values;
    const key = values.length < 2 ? only : values.join('\0');
    const known = this.#children.get(key);
    if (known !== undefined) return known.child;
    if (this.#children.size >= SERIES_MAX && values[0] !== 'other') {
      return this.with(...values.map(() => 'other'));
    }
    const child = this.#make();
    this.#children.set(key, { labels: labelText(this.labelNames, values), child });
    return child;
  }

  protected entries(): Iterable<{ readonly labels: string; readonly child: Child }> {
    return this.#children.values();
  }

  forget(labels: Readonly<Record<string, string>>): void {
    const places = Object.entries(labels).map(
      ([name, value]) => [this.labelNames.indexOf(name), value] as const,
    );
    // A family without these labels is not affected.
    if (places.some(([place]) => place === -1)) return;
    for (const key of this.#children.keys()) {
      // There may be thousands of series, few of which match.
      if (!places.every(([, value]) => key.includes(value))) continue;
      const values = key.split('\0');
      if (places.every(([place, value]) => values[place] === value)) this.#children.delete(key);
    }
  }

  /** Removes all series with labels. */
  reset(): void {
    if (this.labelNames.length > 0) this.#children.clear();
  }
}

export class Value {
  value = 0;

  add(by = 1): void {
    this.value += by;
  }

  set(value: number): void {
    this.value = value;
  }
}

export class CounterFamily extends Series<Value> implements Family {
  readonly type = 'counter';

  constructor(options: FamilyOptions) {
    super(options, () => new Value());
  }

  *lines(): Generator<string> {
    for (const { labels, child } of this.entries())
      yield `${this.name}${braces(labels)} ${child.value}`;
  }
}

export class GaugeFamily extends Series<Value> implements Family {
  readonly type = 'gauge';

  constructor(options: FamilyOptions) {
    super(options, () => new Value());
  }

  *lines(): Generator<string> {
    for (const { labels, child } of this.entries())
      yield `${this.name}${braces(labels)} ${child.value}`;
  }
}

export class Histogram {
  readonly bounds: readonly number[];
  /** Observations up to each bound and above the previous one; the last is above all. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  /** Counts `times` equal observations. */
  observe(value: number, times = 1): void {
    const { bounds, counts } = this;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] ?? 0)) at += 1;
    counts[at] = (counts[at] ?? 0) + times;
    this.sum += value * times;
  }
}

export class HistogramFamily extends Series<Histogram> implements Family {
  readonly type = 'histogram';

  constructor(options: FamilyOptions & { readonly buckets: readonly number[] }) {
    super(options, () => new Histogram(options.buckets));
  }

  *lines(): Generator<string> {
    for (const { labels, child } of this.entries()) {
      let total = 0;
      for (const [at, count] of child.counts.entries()) {
        total += count;
        const bound = `le="${child.bounds[at] ?? '+Inf'}"`;
        yield `${this.name}_bucket{${labels === '' ? bound : `${labels},${bound}`}} ${total}`;
      }
      yield `${this.name}_sum${braces(labels)} ${child.sum}`;
      yield `${this.name}_count${braces(labels)} ${total}`;
    }
  }
}

/** `exponentialBuckets(1, 2, 3)` is 1, 2, 4. */
export function exponentialBuckets(start: number, factor: number, count: number): number[] {
  // Upstream's bounds are products in this order, and a bound is a label: the text must be the same.
  const buckets: number[] = [];
  for (let bound = start; buckets.length < count; bound *= factor) buckets.push(bound);
  return buckets;
}

function braces(labels: string): string {
  return labels === '' ? '' : `{${labels}}`;
}

function labelText(names: readonly string[], values: readonly string[]): string {
  return names
    .map((name, index) => [name, values[index] ?? ''] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(',');
}

function escapeLabel(value: string): string {
  return value.replace(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`));
}
