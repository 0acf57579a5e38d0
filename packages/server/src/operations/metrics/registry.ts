import type { Family } from './family.ts';

/** All metrics of a server, in the text format of Prometheus. */
export class MetricsRegistry {
  readonly #families: Family[] = [];
  readonly #collectors: (() => void)[] = [];

  add<F extends Family>(family: F): F {
    if (this.#families.some(({ name }) => name === family.name)) {
      throw new Error(`metric ${family.name} is already registered`);
    }
    this.#families.push(family);
    return family;
  }

  /** Runs before each collection, for metrics that are read and not counted. */
  onCollect(collect: () => void): void {
    this.#collectors.push(collect);
  }

  /** Removes the series with these labels from every family that has these labels. */
  forget(labels: Readonly<Record<string, string>>): void {
    for (const family of this.#families) family.forget?.(labels);
  }

  get families(): readonly Family[] {
    return this.#families;
  }

  text(): string {
    for (const collect of this.#collectors) collect();
    const lines: string[] = [];
    for (const family of [...this.#families].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const before = lines.length;
      lines.push(`# HELP ${family.name} ${family.help}`, `# TYPE ${family.name} ${family.type}`);
      for (const line of family.lines()) lines.push(line);
      if (lines.length === before + 2) lines.length = before; // as upstream, a family without series is omitted
    }
    return `${lines.join('\n')}\n`;
  }
}
